package lang

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ want, text string }{
		{"", ""},
		{"", "42"},
		{"", "Berlin"},
		{"", "func main() { fmt.Println(x) }"},
		{"", "\xff\xfe\x80"},
		{"", "https://example.org/the/and/for"},
		{"en", "Which port serves what is said in the table below."},
		{"en", "The word 退款 is written on each of the forms, and it means a refund."},
		{"zh", "买方应当在收到发票之日起三十日内付款。"},
		{"zh", "退款"},
		{"zh", "使用 kubectl apply 命令部署 Deployment 和 Service，然后检查 Pod 的状态。"},
		{"zh", "日本語の「の」只是一个助词，中文里偶尔也会看到，但整段文字仍然是中文，而不是别的语言，读者不会弄错这一点。"},
		{"ja", "請求書を受け取ってから三十日以内に支払うものとする。"},
		{"ko", "구매자는 송장을 받은 날부터 30일 이내에 대금을 지급한다."},
		{"de", "Der Käufer zahlt den Preis innerhalb von dreißig Tagen nach Erhalt der Rechnung."},
		{"fr", "L'acheteur paie le prix dans les trente jours qui suivent la réception de la facture."},
		{"es", "El comprador paga el precio en los treinta días que siguen a la recepción de la factura."},
		{"pt", "O comprador paga o preço no prazo de trinta dias após a recepção da fatura, e não mais tarde."},
		{"it", "Il compratore paga il prezzo entro trenta giorni dal ricevimento della fattura."},
		{"nl", "De koper betaalt de prijs binnen dertig dagen nadat hij de factuur heeft ontvangen."},
		{"sv", "Köparen ska betala priset inom trettio dagar efter att fakturan har mottagits."},
		{"da", "Køberen skal betale prisen inden tredive dage efter at have modtaget fakturaen, og ikke senere, hvad der end sker."},
		{"nb", "Kjøperen skal betale prisen innen tretti dager etter at fakturaen ble mottatt, og ikke senere, hva som enn skjer."},
		{"fi", "Ostaja maksaa hinnan, kun lasku on saapunut, ja viimeistään kuukauden kuluttua siitä."},
		{"pl", "Kupujący płaci cenę w ciągu trzydziestu dni od otrzymania faktury, która jest do niej załączona."},
		{"cs", "Kupující zaplatí cenu do třiceti dnů od doručení faktury, která je přiložena."},
		{"sk", "Kupujúci zaplatí cenu do tridsiatich dní od doručenia faktúry, ktorá je priložená, alebo aj skôr."},
		{"hu", "A vevő a számla kézhezvételét követő harminc napon belül köteles az árat megfizetni, és nem később."},
		{"tr", "Alıcı, faturanın alınmasından sonra otuz gün içinde bedeli öder ve bu süre uzatılmaz."},
		{"ro", "Cumpărătorul plătește prețul în termen de treizeci de zile de la primirea facturii, care este anexată."},
		{"vi", "Bên mua phải thanh toán trong vòng ba mươi ngày kể từ ngày nhận được hóa đơn."},
		{"id", "Pembeli membayar harga dalam waktu tiga puluh hari setelah menerima faktur dari penjual, dan tidak lebih dari itu."},
		{"ru", "Покупатель оплачивает товар в течение тридцати дней после получения счёта, и не позже."},
		{"uk", "Покупець сплачує ціну протягом тридцяти днів після отримання рахунку, і не пізніше."},
		{"bg", "Купувачът плаща цената в срок от тридесет дни след като е получил фактурата."},
		{"sr", "Купац је дужан да плати цену у року од тридесет дана од када је примио рачун."},
		{"el", "Ο αγοραστής πληρώνει το τίμημα εντός τριάντα ημερών."},
		{"he", "הקונה ישלם את המחיר בתוך שלושים יום."},
		{"th", "ผู้ซื้อต้องชำระเงินภายในสามสิบวัน"},
		{"hi", "खरीदार तीस दिनों के भीतर भुगतान करेगा।"},
		{"ar", "يدفع المشتري الثمن في غضون ثلاثين يوما من استلام الفاتورة التي تكون إلى جانبه."},
		{"fa", "خریدار باید بهای کالا را در سی روز پس از دریافت فاکتور بپردازد که این است."},
	} {
		if got := Detect(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// A part of a document is in another language only where it clearly is.
func TestDetectWithin(t *testing.T) {
	for _, c := range []struct{ document, text, want string }{
		{"en", "Setup la Pre-requisites", "en"},
		{"en", "42", "en"},
		{"en", "El comprador paga el precio en los treinta días que siguen a la recepción de la factura.", "es"},
		{"zh", "JavaScript, .NET, Node.js het", "zh"},
		{"zh", "Which port serves what is said in the table below, and which of the others does not.", "en"},
		{"en", "买方应当在收到发票之日起三十日内付款。", "zh"},
		{"", "Which port serves what is said in the table below.", "en"},
	} {
		if got := DetectWithin(c.document, c.text); got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.text, c.document, got, c.want)
		}
	}
}

// A long text is judged by parts of it, from its start to its end.
func TestDetectSamples(t *testing.T) {
	english := strings.Repeat("The buyer shall pay the price within thirty days. ", 20)
	chinese := strings.Repeat("买方应当在三十日内付款。", 1000)
	if got := Detect(english + chinese); got != "zh" {
		t.Errorf("mostly Chinese: got %q", got)
	}
	if got := Detect(strings.Repeat("。", 5000)); got != "" {
		t.Errorf("marks only: got %q", got)
	}
}

// The code of each language can be told from the words it is given.
func TestWordsTellTheirLanguage(t *testing.T) {
	for i, l := range languages {
		if got := Detect(l.words); got != l.code && got != "" {
			t.Errorf("the words of %s: got %q", l.code, got)
		}
		if !utf8.ValidString(l.words + l.letters) {
			t.Errorf("%s is not valid UTF-8", l.code)
		}
		for word := range strings.FieldsSeq(l.words) {
			if len(word) > maxWord {
				t.Errorf("%s: %q is longer than is looked up", l.code, word)
				continue
			}
			var b [maxWord]byte
			if size := copy(b[:], word); voters.of(&b, size)>>i&1 == 0 {
				t.Errorf("%s: %q is not found", l.code, word)
			}
		}
	}
}

func TestWordTableHasRoom(t *testing.T) {
	used := 0
	for _, e := range voters.short {
		if e.set != 0 {
			used++
		}
	}
	if used*2 > len(voters.short) {
		t.Errorf("%d words in a table of %d: raise tableBits", used, len(voters.short))
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("The buyer shall pay.", 3)
	f.Add("买方应当付款。", 400)
	f.Add("\xe4\xb9", 2000)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(times, 0), 1+4096/(1+len(text))))
		if got := Detect(text); got != Detect(text) || len(got) != 0 && len(got) != 2 {
			t.Errorf("got %q", got)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	for name, text := range map[string]string{
		"text=en": strings.Repeat("The buyer shall pay the price within thirty days of the receipt of an invoice. ", 30),
		"text=zh": strings.Repeat("买方应当在收到发票之日起三十日内付款。", 40),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(min(len(text), sample)))
			for b.Loop() {
				Detect(text)
			}
		})
	}
}
