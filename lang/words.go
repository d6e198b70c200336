package lang

// A set holds languages by their index in languages.
type set uint64

const known = len(languages)

// rare lowers the votes of languages that few texts are in and whose words are
// largely those of a language that many are in.
var rare = map[string]float32{"af": .8, "ca": .9, "eo": .8, "et": .9, "ga": .8, "mk": .8, "sl": .8}

// languages are those of shared scripts: the words that are commonest in running
// text, and letters that few other languages of their script have. A new one
// needs some thirty words and a line in the test.
var languages = [...]struct{ code, words, letters string }{
	{"en", "the of and to in is that it for as with was on be by this are at from or an not have has which you your will can if when they their all been were would there what we but one more use used using may must shall should into no its any do does how than other these then also only each such after before between about out up so could file error cannot missing invalid", ""},
	{"de", "der die das und ist nicht ein eine einen einem einer eines zu den dem des mit auf für von im in werden wird sich auch als an aus bei nach oder es sie wir kann wenn dass nur noch durch über um wie haben hat sind wurde zum zur am kein keine ihr sein diese dieser dieses mehr vor bis unter fehler datei ungültig zwischen können muss", "äß"},
	{"fr", "le la les des de du et est un une en dans que qui pour par sur pas au aux avec ne ce cette ces plus sont il elle nous vous ou être se son sa ses si mais leur tout comme sans fait peut on à été cela entre lors où aucun fichier erreur votre doit", "êèœçùîûëï"},
	{"es", "le nombre línea está han cada ella qué mismo uno puede desde usar comando tiene cuando hacer archivos el la los las de del y en que es un una por para con no se su sus al lo como más o pero este esta son fue ha si sin sobre entre ser también hay hasta muy todo todos esto nos les donde error archivo falta debe usted otro según", "ñ¿¡"},
	{"pt", "o a os as de do da dos das e em no na nos nas que é um uma por para com não se seu sua ao à pelo pela como mais ou mas este esta são foi ser também há pode quando até muito todos está isso entre sem já ele ela você deve arquivo erro seus", "ãõ"},
	{"it", "il lo la i gli le di del della dei delle da dal in nel nella e è che un una uno per con non si su sul come più o ma questo questa sono essere anche può se al alla alle degli ha hanno stato ogni dopo tra fra loro quando senza file errore manca dove", "ìò"},
	{"nl", "hij nadat binnen naar dit moet om te hem haar zich wel vaak waar alle u uw als dus niets ze de het een en van in is dat op voor met zijn niet aan er ook bij of door uit worden wordt kan die deze over tot maar geen dan nog meer heeft hebben was werd je wij zij hun zonder bestand fout tussen onder kunnen alleen", ""},
	{"sv", "då du detta varje ju skriv där kommandot hos men här dem vad inga in och i att det som en på är av för med den till inte om ett han har de från vid var kan när också eller så ska efter under över sig sin finns alla mellan utan måste blir än endast fel filen vara hade nu", "åäö"},
	{"da", "filen åbne filer findes ingen som så du hvad mig dig op mere efter nej blive bruges skriv kommandoen nu mange og i at det er en til af den på for med der de ikke et har fra eller om kan ved også men skal når blev bliver være over under mellem kun alle dette hvis sig var ind ud meget uden fejl nogle noget hvor", "åæø"},
	{"nb", "så du hva meg deg opp mer hvordan nei bli brukes skriv kommandoen nå mange hun henne og i å det er en til av den på for med som de ikke et har fra eller om kan ved også men etter skal når ble blir være over under mellom ingen bare alle dette hvis seg var inn ut mye uten feil filen noen noe hvor", "åæø"},
	{"fi", "myös tekstiä voit tämän komento rivin kuten ne mutta sitten joita ensin hän oma sinun kohti jälkeen ja on ei se että joka ovat oli kun voi tai kuin niin sen olla jos sekä ole tämä mukaan jotka sitä siitä kanssa vain mitä tiedosto virhe ennen nyt kaikki ettei yli alle ilman puuttuu käytä pitää voidaan", "äö"},
	{"pl", "w i na z do nie się jest że to o od za po dla jak przez ale oraz lub przy są który która które być tego tym może ma ten ta jako tylko już ich jego bez także można został pod nad między gdy jeśli plik błąd brak pliku nieprawidłowy czy aby", "ąęłńśźżć"},
	{"cs", "a v na se je že s z do o to ve pro za by po jako k i není jsou nebo který která které od při podle však už také byl bylo byla být jeho může pokud až jen ze tento tato toto mezi jak soubor chyba nelze souboru musí ale bez pod", "ěřůčšžďťň"},
	{"sk", "a v na sa je že s z do o to vo pre za by po ako k i nie sú alebo ktorý ktorá ktoré od pri podľa však už tiež bol bolo bola byť jeho môže ak až len zo tento táto toto medzi súbor chyba nemožno súboru musí ale bez pod", "ľĺŕôäčšžďťň"},
	{"hu", "a az és hogy nem is egy ez volt de van meg csak mint már vagy még ha el ki azt lehet nincs kell minden után között által fel ezt pedig illetve majd mert számára való lesz voltak sem olyan akkor fájl hiba nélkül", "őű"},
	{"tr", "ve bir bu da de için ile olarak çok daha olan gibi en ne kadar ancak sonra değil var mi ya o veya her tarafından ise göre olduğu oldu yok şu iki bunu ama içinde dosya hata geçersiz üzerinde eğer nasıl yapılan kullanılan bulunamadı", "ğışç"},
	{"ro", "și şi de la în a cu o nu pe că din este un ce se care pentru mai au sau ca sunt fi prin fost între după dar această acest al ale lui ei fără poate dacă când trebuie fişier fișier eroare unei unui toate numai acestea", "ăâîșțţ"},
	{"vi", "và là của có trong được không cho các một những với người này để đã khi từ về ra như đến theo tại vào cũng phải nhiều hay trên nếu bạn sẽ thì tập tin lỗi do nào đó việc bị sau chỉ dùng", "đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"},
	{"id", "yang dan di dari untuk dengan ini itu dalam pada tidak akan adalah ke atau juga oleh dapat ada bisa lebih telah karena sebagai bahwa anda saya mereka sudah jika harus hanya seperti tersebut secara setelah antara kami kita bagi berkas kesalahan setiap saat", ""},
	{"ca", "el la els les de del dels i en que és un una per amb no es al als com més o però aquest aquesta són ha si sense entre ser també hi pot quan des fins molt tot està això on fitxer cal seva seu ens l'error falta cada", "ŀ"},
	{"hr", "i u je na se za da su od s o kao koji koja koje ne ili iz po bio bila biti nije što ali to do samo može te već kako nakon sve ako prema između bez pri ovaj ova ovo sa datoteka pogreška kada jer mora", "đćčšž"},
	{"sl", "in je v na se za da so od z o kot ki ne ali iz po bil bila biti ni kar pa to do samo lahko že kako vse če med brez pri ta tudi datoteka napaka ko ker mora bo še ima tega jih", "čšž"},
	{"lv", "un ir no ar uz par ka kas tas to pie vai bet lai kā nav arī var pēc kuru tiek tika jau gan vairāk tā šis šī būt ja fails kļūda starp bez līdz tikai savu viņa gada", "āēīūķļņģ"},
	{"lt", "ir yra į iš su kad tai ne bet kaip apie už buvo būti taip ar nuo iki per dėl jis ji arba tik gali po jau kuris kuri labai failas klaida tarp be šis ši savo dar pagal reikia", "ėįųūąęš"},
	{"et", "ja on ei et see mis ka oli kui või aga kes ning selle ole oma seda nii siis nagu välja saab tema pärast kõik peab vaid fail viga enne ilma üle kas juba veel oleks nende", "õäöü"},
	{"af", "die van met kan vir wees daarvan hulle sal nie het wat hy aan ek sy as daar ook word maar jy uit moet 'n ons na oor of geen lêer fout net deur nog tot hierdie", ""},
	{"eo", "la de kaj en estas al ne ke por kun li ĝi oni el pri sed aŭ kiel kiu kiuj ĉi tiu tio ankaŭ nur pli sur per da ili havas povas estis post inter dosiero eraro sen se nevalida mankas ĝis", "ĉĝĥĵŝŭ"},
	{"ga", "na agus ní bhí tá nach sé sí seo sin mar ó níl ach nó chun faoi ag nuair gur comhad earráid gan eile gach bhfuil iad níos féidir sa rud", ""},
	{"ru", "строку ошибки команда команды нельзя слишком неверный неизвестный нет уже будет чтобы во со ни для и в не на что с по из это как к от но у о за так же или его при если все был быть только может можно еще ещё до также были есть мы вы они этот эта этого файл ошибка файла после через между без который которые", "ыэё"},
	{"uk", "і в не на що з до для із це як та від але у про за так же або його при якщо всі був бути тільки може можна щоб ще також були немає є ми ви вони цей ця цього файл помилка файлу після через між без який які й", "іїєґ"},
	{"bg", "файла сте тук натиснете трябва този това ви ще така когато командата си и в не на че с по за от как към но у до или се са да е при ако всички бил може също след има няма ние вие те тази файл грешка между без който която които само като още беше според", "ъщ"},
	{"sr", "сте ће бисте није ако линију већ команда још јер сам овде и у не на да је се за су од са о као који која које или из по био бити што али то до само може те како све према између без при овај ова датотека грешка када мора", "ђћџјљњ"},
	{"mk", "и во не на да е се за од со како кој која кои или по што но до само може ако според без при овој оваа датотека грешка кога бидејќи мора сите ги го ја има нема беше", "ѓќѕјљњ"},
	{"ar", "في من على إلى أن ما هذا هذه التي الذي عن مع لا كان أو كل قد بعد بين لم هو هي إذا غير حيث ثم كما ذلك عند منذ حتى يمكن عليه ملف", "ةىأإ"},
	{"fa", "و در به از که این است را با برای آن یک می تا بر هم بود یا هر شود شده اگر باید نیز خود کرد دارد های شد ما پس اما چه کند", "پچژگیک"},
	{"ur", "اور کے کی میں ہے کا سے کو نے پر ہیں یہ کہ اس تھا جو بھی ایک نہیں کیا تو ہو وہ اپنے گیا لئے لیے", "ٹڈڑںھہےی"},
}
