"""Turkish: person stands in the endings of verbs and nouns."""

from nodes.extractors.languages.grammar import language

_TONGUE = "(?:türkçe|ingilizce|almanca|fransızca|ispanyolca|arapça|kürtçe|rusça)"
_LASTS = (
    r"her \w+|hep|her zaman|daima|asla|hiç|hiçbir zaman|genelde|genellikle|çoğunlukla|"
    r"çoğu zaman|normalde|sık sık|nadiren|düzenli olarak|\S+ beri|\S+dır|\S+dir|"
    r"\S+ yıldır|doğuştan|aslen|"
    r"(?:pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)(?:leri|ları)|sabahları|"
    r"akşamları|geceleri|(?:günde|haftada|ayda) \S+"
)
_KIN = (
    r"(?:eşim|karım|kocam|partnerim|sevgilim|nişanlım|oğlum|oğullarım|kızım|kızlarım|"
    r"çocuğum|çocuklarım|bebeğim|ikizlerim|annem|babam|ebeveynlerim|kardeşim|kardeşlerim|"
    r"ablam|abim|ağabeyim|ninem|dedem|anneannem|babaannem|torunum|köpeğim|köpeğimiz|"
    r"kedim|kedimiz|kedimizin|"
    r"köpeğimizin|kedimin|köpeğimin|oğlumun|kızımın|eşimin|annemin|babamın|oğlumuz|kızımız|atım|tavşanım)"
)
TURKISH = language(
    "tr",
    words=(
        "ve bir bu şu o ben benim bana beni sen için çok daha en var yok değil ne neden "
        "nasıl kim kaç hangi mi mı mu mü de da ile ama gibi her hiç hep asla "
        "artık bugün dün sonra önce kadar göre adım seviyorum severim sevmem nefret "
        "ederim cevap ver yaşıyorum lütfen aslen teşekkürler teşekkür merhaba belki "
        "keşke eğer biz bizim "
        "siz onlar şey olarak oldu olsa evet hayır tabii canım beri yine günü aslında"
    ),
    opener=(
        "merhaba|selam|günaydın|iyi akşamlar|teşekkürler|şey|yani|ve|ama|evet|hayır|"
        "aslında|açıkçası|bu arada|ayrıca|tamam|pardon|özür dilerim|çünkü|şu an|şu "
        "anda|şimdi|lütfen|ben de|ben|benim|düzeltme|doğrusu"
    ),
    joints="ama|çünkü|fakat",
    remember=r"(?:unutma|aklında (?:tut|bulunsun)|hatırla|not et|kaydet)(?:yın|un)?(?:$|,? ki|:)",
    asks=(
        r"^(?:peki |ve )?(?:kim|ne(?! (?:güzel|hoş|harika|mutlu|yazık))|neden|niye|niçin|"
        r"nasıl|nerede|nereye|nereden|hangi|kaç)|(?:kim|neden|niye|nasıl|nerede|hangi|"
        r"kaç|nedir|kimdir) ?(?:\S+ )?(?:\S+)?$|\w+ m[ıiuü](?:sın|sin|yım|yim|yız|dır|"
        r"yı|sınız|siniz)?$|m[ıiuü]$|hangi|biliyor musun"
    ),
    irony=(
        r"^(?:tabii|tabii canım|tabii ki|harika|süper|muhteşem|mükemmel|şahane|bravo|"
        r"aman ne güzel|oh ne güzel|eminim|evet evet),|^(?:aman |oh )?ne (?:güzel|hoş|"
        r"harika|mutlu)|bir bu eksikti|tam da ihtiyacım olan|ironi"
    ),
    unreal=(
        r"keşke|eğer|belki|diyelim|varsayalım|farz|hayal et|umarım|inşallah|bir gün(?! "
        r")|bir gün \S+|acaba|sanki|mış gibi|\w{3,}(?:saydım|seydim|sam|sem|ardım|erdim|"
        r"ırdım|irdim|urdum|ürdüm|rsa|rse|lsa|lse|ysa|yse)(?! bile)|olsun isterim|sen "
        r"bir|romanımda|rüyamda|galiba"
    ),
    reported=(
        r"\S+(?:a|e) göre|(?:söylüyor|söyledi|diyor|dedi|anlattı|iddia ediyor|iddia "
        r"etti|yazmış|belirtti|düşünüyor|sanıyor|söylediler|diyorlar|dediler|anlatıyor)|"
        r"güya|sözde|\w+(?:mış|miş|muş|müş)(?:lar|ler)?$|duyduğuma|□+"
    ),
    ended=r"artık (?:\S+ ){0,4}\S*(?:m[ıiuü]yorum|mam|mem|değilim|yok)|\S+ (?:bıraktım|vazgeçtim)$",
    corrects=r"aslında|düzeltme|^hayır|değil|^pardon",
    episode=(
        r"dün|evvelsi gün|bugün|bu (?:sabah|akşam|gece|hafta)|yarın|az önce|demin|şimdi|"
        r"geçen \w+|\S+ (?:dakika|saat|gün) önce|biraz önce|\w{2,}(?:dım|dim|dum|düm|"
        r"tım|tim|tum|tüm|dık|dik|duk|dük|tık|tik|tuk|tük)$|\w+ günü"
    ),
    lasting=_LASTS + "|doğdum|büyüdüm|emekli oldum",
    talk=(
        r".*(?:istiyorum|isterim|sanırım|düşünüyorum|biliyorum|bilmiyorum|anlıyorum|"
        r"anladım|umuyorum|rica ederim|teşekkür ederim|özür dilerim|soruyorum|merak "
        r"ediyorum|ihtiyacım var|sorum var|bir fikrim var|katılıyorum|söz veriyorum|"
        r"arıyorum)$|"
        r".*(?:yorgunum|açım|mutluyum|üzgünüm|hazırım|kızgınım|hastayım|buradayım|eminim|"
        r"memnunum|meşgulüm)$|.*(?:fikrin|önerin)\w*|bu |o |sen|siz"
    ),
    name=r"(?:adım|ismim) \w+",
    language=rf"(?:\S+ ){{0,4}}?{_TONGUE} (?:cevap ver|yanıt ver|yanıtla|cevapla|konuş|yaz)\w*",
    style=(
        r"(?:kısa|ayrıntılı|detaylı|öz|uzun) (?:cevap|yanıt)\w* (?:tercih ederim|istiyorum|"
        r"severim|ver)|(?:kısa|öz|net) (?:cevap ver|yaz|ol)"
    ),
    location=r"(?:\S+ ){0,2}\S+(?:da|de|ta|te) (?:yaşıyorum|oturuyorum|ikamet ediyorum)",
    occupation=r"(?:\S+ ){0,3}olarak çalışıyorum|mesleğim \S+",
    project=r"(?:\S+ ){1,5}üzerinde çalışıyor(?:um|uz)|projem \S+",
    work=(
        r"(?:\S+ ){0,4}(?:hazırlıyor|yeniliyor|geliştiriyor|kuruyor|açıyor|planlıyor|"
        r"tadilat yapıyor|tadil ediyor|inşa ediyor|hazırlanıyor)(?:um|uz)|(?:tezimi|"
        r"kitabımı|makalemi|raporu|romanımı|ödevimi|projemi) (?:\S+ )?(?:yazıyorum|bitir\w+)|"
        r"(?:\S+ ){0,3}\S+ kadar .*(?:lazım|gerek|gerekiyor|zorunda\w+|bitirmeliyim|"
        r"yetiştirmem)|(?:bu \S+ )?(?:hedefim|amacım|hedefimiz|bir sonraki adım|son "
        r"teslim)|.*teslim (?:edeceğim|tarihi)|.*takıldım$"
    ),
    own=(
        r"(?:\S+ ){0,8}\S*\w(?:[ıiuü]yorum|[ıiuü]yoruz|yorum|[aeıiuü]rım|[aeıiuü]rim|"
        r"[aeıiuü]rum|[aeıiuü]rüm|mam|mem|mıyorum|miyorum|muyorum|müyorum|[aeıiuü]r[ıiuü]z|"
        r"may[ıi]z|mey[iı]z)$|(?:\S+ ){0,6}\S*\w{2,}(?:y[ıiuü]m|l[ıiuü]y[ıiuü]m|"
        r"c[ıiuü]y[ıiuü]m|değilim|s[ıiuü]z[ıiuü]m|s[ıi]y[ıi]m)$|"
        r"(?:\S+ ){0,4}\S+[ıiuü]?m(?:ız|iz|uz|üz)? (?:var|yok)$|(?:\S+ ){1,4}(?:beni|"
        r"bana) (?:\S+ )?\S+(?:yor|[aeıiuü]r|tır|dir)$|en sevdiğim .*|(?:doğum günüm|"
        r"ana dilim|takımım|işim|arabam|evim|soyadım|burcum|hobim|dinim) .*|(?:\S+ ){0,3}(?:doğdum|"
        r"büyüdüm|doğup büyüdüm)"
    ),
    kin=rf"(?:benim |bizim |küçük |büyük )?{_KIN} (?!.*(?:sever|seviyor|nefret|söyl|dedi|gitti|geldi))\S+",
    trait=(
        r"(?:vegan|vejetaryen|solak|renk körü|miyop|işitme engelli|sağır|görme engelli|"
        r"şeker hastası|diyabet\w*|astım\w*|alerji\w*|\S+ alerjim|gluten|çölyak|laktoz|"
        r"otizm\w*|disleksi\w*|bekar\w*|evli\w*|boşanmış|dul|hamile\w*|emekli\w*|serbest "
        r"çalış\w*|(?:\S+ )?(?:çocuk|kız|oğlan) (?:babası|annesi)|"
        r"ateist|müslüman|hristiyan|iki dilli|alkol kullanmam|çocuksuz|\S+ (?:öğretmeni|"
        r"doktoru|hemşiresi|mühendisi|öğrencisi))"
    ),
    imperative=(
        r".*(?:ver|yaz|kullan|kullanma|konuş|söyle|de|deme|hitap et|ekle|ekleme|anlat|"
        r"açıkla|yap|yapma|göster|başla|kal|ol|olma|sor|çevir|önerme|öner|et|etme|belirt|"
        r"yazma|verme|konuşma|koy|koyma|tut|çağır)(?:in|ın|un|ün|yin|yın|iniz|ınız|lütfen)?(?: "
        r"lütfen)?$"
    ),
    standing=(
        r"her zaman|daima|hep|asla|bundan (?:sonra|böyle)|artık|her seferinde|şu andan "
        r"itibaren|ileride|varsayılan|bana \w+ (?:de|diye)|diye hitap|cevaplarında|bir "
        r"daha"
    ),
)
