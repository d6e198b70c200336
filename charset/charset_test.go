package charset

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	textunicode "golang.org/x/text/encoding/unicode"
)

func TestDecode(t *testing.T) {
	const (
		chinese   = "名称,数量,备注\n螺丝,12,库存充足，无需补货\n螺母,30,下周到货\n"
		japanese_ = "品名,数量,備考\nねじ,12,在庫は十分にあります。補充は必要ありません。\nナット,30,来週入荷します\n"
		hangul    = "이름,수량,비고\n나사,12,재고가 충분합니다. 보충할 필요가 없습니다.\n너트,30,다음 주에 입고됩니다\n"
		big5      = "名稱,數量,備註\n螺絲,12,庫存充足，無需補貨\n螺母,30,下週到貨，請留意通知\n"
		french    = "Société,Année\nCafé de la gare,2023\nHôtel du marché,2024\n"
	)
	for _, c := range []struct {
		name string
		enc  encoding.Encoding
		text string
		want string
	}{
		{"gbk", simplifiedchinese.GBK, chinese, "gb18030"},
		{"utf-16le with mark", textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM), french, "utf-16le"},
		{"utf-16be with mark", textunicode.UTF16(textunicode.BigEndian, textunicode.UseBOM), chinese, "utf-16be"},
		{"utf-16le", textunicode.UTF16(textunicode.LittleEndian, textunicode.IgnoreBOM), french, "utf-16le"},
		{"shift jis", japanese.ShiftJIS, japanese_, "shift_jis"},
		{"euc-kr", korean.EUCKR, hangul, "euc-kr"},
		{"big5", traditionalchinese.Big5, big5, "big5"},
		{"windows-1252", charmap.Windows1252, french, "windows-1252"},
	} {
		src, err := c.enc.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got, name := Decode(src, false)
		if string(got) != c.text || name != c.want {
			t.Errorf("%s: got %s %q", c.name, name, got)
		}
	}
}

// TestDecodeSentences holds that a sentence is enough to tell an encoding, also
// where it is the last of a file in English.
func TestDecodeSentences(t *testing.T) {
	english := strings.Repeat("This is a line of English.\n", 5000)
	for _, c := range []struct {
		enc  encoding.Encoding
		text string
	}{
		{charmap.Windows1252, "Äußere Maße in Millimetern, Prüfung nach Übergabe.\n"},
		{charmap.Windows1252, "La société a été créée à Genève en mille neuf cent.\n"},
		{charmap.Windows1252, "El niño comió piña y salió al jardín.\n"},
		{charmap.Windows1252, "På øen må man gå.\n"},
		{charmap.Windows1252, "Temperatures of 20°C ± 2°C were “measured” – for €6.\n"},
		{charmap.Windows1250, "Wszystkie części są dostępne od ręki w naszym sklepie.\n"},
		{charmap.ISO8859_2, "A termék ára nem tartalmazza az áfát és a szállítási költséget.\n"},
		{charmap.Windows1254, "Bu ürün üç yaşından büyük çocuklar için uygundur.\n"},
		{charmap.Windows1251, "Все детали есть в наличии на нашем складе.\n"},
		{charmap.Windows1251, "Усі деталі є в наявності на нашому складі.\n"},
		{charmap.Windows1251, "int main() { return 0; } // главная функция\n"},
		{charmap.KOI8R, "Пожалуйста, закройте дверь и выключите свет.\n"},
		{charmap.ISO8859_7, "Όλα τα εξαρτήματα είναι διαθέσιμα στην αποθήκη μας.\n"},
		{charmap.Windows1255, "כל החלקים זמינים במחסן שלנו.\n"},
		{charmap.Windows1256, "جميع القطع متوفرة في مستودعنا.\n"},
		{japanese.ShiftJIS, "ドアを閉めて電気を消してください。\n"},
		{japanese.ShiftJIS, "# インストール pip install\n"},
		{japanese.EUCJP, "すべての部品は倉庫にあります。\n"},
		{simplifiedchinese.GBK, "离开时请关好门窗并关闭电灯。\n"},
		{simplifiedchinese.GBK, "使用Python语言编写的API接口\n"},
		{traditionalchinese.Big5, "離開時請關好門窗並關閉電燈。\n"},
		{korean.EUCKR, "나가실 때 문을 닫고 불을 꺼 주세요.\n"},
	} {
		for _, text := range []string{c.text, english + c.text} {
			src, err := c.enc.NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got, name := Decode(src, false); string(got) != text {
				t.Errorf("%q of %d bytes: got %s %q", c.text, len(text), name, got[max(0, len(got)-2*len(c.text)):])
			}
		}
	}
}

// TestDecodeLittle holds that a few bytes beyond ASCII are read as western.
func TestDecodeLittle(t *testing.T) {
	for _, text := range []string{
		"Größe\n", "Straße\n", "Prix: 5 €\nété\n", "x = \"für\"\n", "print('§ 12')\n", "# Title\n\nGood text here ÿþ and more.\n",
		"ÄÖÜ\n", "“test”\n", "København", "«É»\n", "20°C ± 2°C",
	} {
		src, err := charmap.Windows1252.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, name := Decode(src, false); string(got) != text || name != "windows-1252" {
			t.Errorf("%q: got %s %q", text, name, got)
		}
	}
}

func TestDecodeKeepsUTF8(t *testing.T) {
	for _, src := range []string{"", "abc", "名称\n", "\ufeffid,name\n", "“quoted” – né – 10 € \x92 and “more” – “words” – “here”",
		"café \xff", "café \xff\xfe été", "Straße \xc3", "привет, мир\xd0", "名称\xe5\x90"} {
		got, name := Decode([]byte(src), false)
		if !bytes.Equal(got, []byte(src)) || name != "" {
			t.Errorf("%q: got %s %q", src, name, got)
		}
	}
}

func TestDecodeDeclared(t *testing.T) {
	src := []byte("<meta charset=iso-8859-2><p>\xb1\xe6")
	got, name := Decode(src, true)
	if want := "<meta charset=iso-8859-2><p>ąć"; string(got) != want || name != "iso-8859-2" {
		t.Errorf("got %s %q, want %q", name, got, want)
	}
}

func TestNewReader(t *testing.T) {
	text := strings.Repeat("船长，价格；", 200_000) // the sample ends within a rune
	utf16, err := textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{
		text, "x" + text, "xx" + text, utf16, "", "caf\xe9 au lait, cr\xe8me br\xfbl\xe9e",
	} {
		r, name, err := NewReader(strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		want, wantName := Decode([]byte(src), false)
		if !bytes.Equal(got, want) || name != wantName {
			t.Errorf("%d bytes: %d bytes of %q, want %d of %q", len(src), len(got), name, len(want), wantName)
		}
	}
}
