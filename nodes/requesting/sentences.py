"""What the reply says about a request that was carried out, or could not be: one table of sentences a language.

In them ``{words}`` are the user's own, ``{user}`` their id; whatever is filled in has been cleaned to one line.
"""

from __future__ import annotations

from typing import NamedTuple


class Sentences(NamedTuple):
    """Everything that is said in one language."""

    remembered: str
    known_already: str
    not_remembered: str
    too_long: str
    forgotten: str
    forgotten_those: str
    not_found: str
    closest: str
    not_forgotten: str
    sure: str
    forgot_everything: str
    nothing_to_forget: str
    knows: str
    knows_about: str
    knows_nothing: str
    knows_nothing_about: str
    not_read: str
    still_reading: str
    more: str
    said: str
    headings: dict[str, str]


SENTENCES = {
    "en": Sentences(
        remembered="I will remember: {words}",
        known_already="I already remember that: {words}",
        not_remembered="I could not keep this just now, so it is not remembered: {words}",
        too_long="That is too long to be remembered as one thing ({length} characters, at most {most}). Please say it "
        "shorter.",
        forgotten="I no longer use what you asked me to forget: {words}",
        forgotten_those="Forgotten, I no longer use this:",
        not_found="I found nothing in my memory that says this, so nothing was forgotten: {words}",
        closest="The closest that I have; say “forget that …” with the words of the one you mean:",
        not_forgotten="I could not forget this just now, so it is still in use: {words}",
        sure="This would forget everything I know about you. If you are sure, say: yes, forget everything about me",
        forgot_everything="I no longer use anything that I knew about you. It stays in the history until an operator "
        "erases it from disk: python -m graph memory forget --user {user}",
        nothing_to_forget="I knew nothing about you, so there was nothing to forget.",
        knows="This is what I know about you:",
        knows_about="This is what I know about “{words}”:",
        knows_nothing="I know nothing about you yet.",
        knows_nothing_about="I have nothing in memory about “{words}”.",
        not_read="I could not read my memory just now, so I cannot say what I know.",
        still_reading="Some of what you said before is still being read; ask again in a moment to be sure.",
        more="… and {count} more.",
        said="{who}: {words}",
        headings={
            "profile": "About you",
            "task_context": "What you are working on",
            "experience": "How similar tasks went before",
            "conversation": "From our conversations",
            "other": "Also",
            "user": "you said",
            "assistant": "I said",
        },
    ),
    "es": Sentences(
        remembered="Lo recordaré: {words}",
        known_already="Ya lo recuerdo: {words}",
        not_remembered="Ahora mismo no he podido guardarlo, así que no lo recordaré: {words}",
        too_long="Es demasiado largo para recordarlo de una vez ({length} caracteres, como máximo {most}). Dilo más "
        "breve, "
        "por favor.",
        forgotten="Ya no uso lo que me has pedido olvidar: {words}",
        forgotten_those="Olvidado, ya no uso esto:",
        not_found="No he encontrado nada en mi memoria que diga esto, así que no he olvidado nada: {words}",
        closest="Lo más parecido que tengo; di «olvida que …» con las palabras de lo que quieres decir:",
        not_forgotten="Ahora mismo no he podido olvidarlo, así que sigue en uso: {words}",
        sure="Esto olvidaría todo lo que sé sobre ti. Si estás seguro, di: sí, olvida todo sobre mí",
        forgot_everything="Ya no uso nada de lo que sabía sobre ti. Queda en el historial hasta que un operador lo "
        "borre "
        "del disco: python -m graph memory forget --user {user}",
        nothing_to_forget="No sabía nada sobre ti, así que no había nada que olvidar.",
        knows="Esto es lo que sé sobre ti:",
        knows_about="Esto es lo que sé sobre «{words}»:",
        knows_nothing="Todavía no sé nada sobre ti.",
        knows_nothing_about="No tengo nada en la memoria sobre «{words}».",
        not_read="Ahora mismo no he podido leer mi memoria, así que no puedo decir lo que sé.",
        still_reading="Aún se está leyendo parte de lo que dijiste antes; vuelve a preguntar en un momento.",
        more="… y {count} más.",
        said="{who}: {words}",
        headings={
            "profile": "Sobre ti",
            "task_context": "En qué estás trabajando",
            "experience": "Cómo fueron tareas parecidas",
            "conversation": "De nuestras conversaciones",
            "other": "Además",
            "user": "dijiste",
            "assistant": "dije",
        },
    ),
    "pt": Sentences(
        remembered="Vou lembrar-me: {words}",
        known_already="Já me lembro disso: {words}",
        not_remembered="Agora não consegui guardar isto, por isso não me vou lembrar: {words}",
        too_long="É longo demais para lembrar de uma vez ({length} caracteres, no máximo {most}). Diga de forma mais "
        "curta, "
        "por favor.",
        forgotten="Já não uso o que me pediu para esquecer: {words}",
        forgotten_those="Esquecido, já não uso isto:",
        not_found="Não encontrei nada na memória que diga isto, por isso nada foi esquecido: {words}",
        closest="O mais próximo que tenho; diga “esqueça que …” com as palavras do que quer dizer:",
        not_forgotten="Agora não consegui esquecer isto, por isso continua em uso: {words}",
        sure="Isto esqueceria tudo o que sei sobre si. Se tem a certeza, diga: sim, esqueça tudo sobre mim",
        forgot_everything="Já não uso nada do que sabia sobre si. Fica no histórico até um operador o apagar do disco: "
        "python -m graph memory forget --user {user}",
        nothing_to_forget="Não sabia nada sobre si, por isso não havia nada a esquecer.",
        knows="Isto é o que sei sobre si:",
        knows_about="Isto é o que sei sobre “{words}”:",
        knows_nothing="Ainda não sei nada sobre si.",
        knows_nothing_about="Não tenho nada na memória sobre “{words}”.",
        not_read="Agora não consegui ler a memória, por isso não posso dizer o que sei.",
        still_reading="Parte do que disse antes ainda está a ser lida; pergunte de novo daqui a pouco.",
        more="… e mais {count}.",
        said="{who}: {words}",
        headings={
            "profile": "Sobre si",
            "task_context": "Em que está a trabalhar",
            "experience": "Como correram tarefas parecidas",
            "conversation": "Das nossas conversas",
            "other": "Também",
            "user": "disse-me",
            "assistant": "eu disse",
        },
    ),
    "fr": Sentences(
        remembered="Je m'en souviendrai : {words}",
        known_already="Je m'en souviens déjà : {words}",
        not_remembered="Je n'ai pas pu garder cela pour l'instant, je ne m'en souviendrai donc pas : {words}",
        too_long="C'est trop long pour être retenu d'un coup ({length} caractères, {most} au plus). Dites-le plus "
        "brièvement, s'il vous plaît.",
        forgotten="Je n'utilise plus ce que vous m'avez demandé d'oublier : {words}",
        forgotten_those="Oublié, je n'utilise plus ceci :",
        not_found="Je n'ai rien trouvé en mémoire qui dise cela, rien n'a donc été oublié : {words}",
        closest="Le plus proche que j'ai ; dites « oublie que … » avec les mots de ce que vous voulez dire :",
        not_forgotten="Je n'ai pas pu oublier cela pour l'instant, c'est donc toujours utilisé : {words}",
        sure="Cela oublierait tout ce que je sais de vous. Si vous en êtes sûr, dites : oui, oublie tout sur moi",
        forgot_everything="Je n'utilise plus rien de ce que je savais de vous. Cela reste dans l'historique jusqu'à ce "
        "qu'un opérateur l'efface du disque : python -m graph memory forget --user {user}",
        nothing_to_forget="Je ne savais rien de vous, il n'y avait donc rien à oublier.",
        knows="Voici ce que je sais de vous :",
        knows_about="Voici ce que je sais sur « {words} » :",
        knows_nothing="Je ne sais encore rien de vous.",
        knows_nothing_about="Je n'ai rien en mémoire sur « {words} ».",
        not_read="Je n'ai pas pu lire ma mémoire pour l'instant, je ne peux donc pas dire ce que je sais.",
        still_reading="Une partie de ce qui a été dit avant est encore en lecture ; redemandez dans un instant.",
        more="… et {count} de plus.",
        said="{who} : {words}",
        headings={
            "profile": "À votre sujet",
            "task_context": "Ce sur quoi vous travaillez",
            "experience": "Comment des tâches semblables se sont passées",
            "conversation": "De nos conversations",
            "other": "Aussi",
            "user": "vous avez dit",
            "assistant": "j'ai dit",
        },
    ),
    "it": Sentences(
        remembered="Lo ricorderò: {words}",
        known_already="Lo ricordo già: {words}",
        not_remembered="In questo momento non ho potuto salvarlo, quindi non lo ricorderò: {words}",
        too_long="È troppo lungo per essere ricordato in una volta ({length} caratteri, al massimo {most}). Dillo più "
        "brevemente, per favore.",
        forgotten="Non uso più ciò che mi hai chiesto di dimenticare: {words}",
        forgotten_those="Dimenticato, non uso più questo:",
        not_found="Non ho trovato nulla in memoria che dica questo, quindi non ho dimenticato nulla: {words}",
        closest="Ciò che ho di più vicino; di' «dimentica che …» con le parole di quello che intendi:",
        not_forgotten="In questo momento non ho potuto dimenticarlo, quindi è ancora in uso: {words}",
        sure="Questo dimenticherebbe tutto ciò che so di te. Se sei sicuro, di': sì, dimentica tutto su di me",
        forgot_everything="Non uso più nulla di ciò che sapevo di te. Resta nella cronologia finché un operatore non "
        "lo "
        "cancella dal disco: python -m graph memory forget --user {user}",
        nothing_to_forget="Non sapevo nulla di te, quindi non c'era nulla da dimenticare.",
        knows="Ecco cosa so di te:",
        knows_about="Ecco cosa so su «{words}»:",
        knows_nothing="Non so ancora nulla di te.",
        knows_nothing_about="Non ho nulla in memoria su «{words}».",
        not_read="In questo momento non ho potuto leggere la memoria, quindi non posso dire cosa so.",
        still_reading="Una parte di ciò che hai detto prima è ancora in lettura; richiedi tra un momento.",
        more="… e altri {count}.",
        said="{who}: {words}",
        headings={
            "profile": "Su di te",
            "task_context": "A cosa stai lavorando",
            "experience": "Come sono andati compiti simili",
            "conversation": "Dalle nostre conversazioni",
            "other": "Inoltre",
            "user": "hai detto",
            "assistant": "ho detto",
        },
    ),
    "de": Sentences(
        remembered="Das merke ich mir: {words}",
        known_already="Das weiß ich schon: {words}",
        not_remembered="Das konnte ich gerade nicht speichern und merke es mir also nicht: {words}",
        too_long="Das ist zu lang, um es mir als eines zu merken ({length} Zeichen, höchstens {most}). Bitte kürzer "
        "sagen.",
        forgotten="Ich verwende nicht mehr, was ich vergessen soll: {words}",
        forgotten_those="Vergessen, das verwende ich nicht mehr:",
        not_found="Ich habe nichts im Gedächtnis gefunden, was das sagt; vergessen wurde also nichts: {words}",
        closest="Am nächsten kommt dem dies; sag „vergiss, dass …“ mit den Worten dessen, was du meinst:",
        not_forgotten="Das konnte ich gerade nicht vergessen, es wird also weiter verwendet: {words}",
        sure="Damit würde ich alles vergessen, was ich über dich weiß. Wenn du sicher bist, sag: ja, vergiss alles "
        "über mich",
        forgot_everything="Ich verwende nichts mehr von dem, was ich über dich wusste. Im Verlauf bleibt es, bis ein "
        "Betreiber "
        "es von der Platte löscht: python -m graph memory forget --user {user}",
        nothing_to_forget="Ich wusste nichts über dich, es gab also nichts zu vergessen.",
        knows="Das weiß ich über dich:",
        knows_about="Das weiß ich über „{words}“:",
        knows_nothing="Ich weiß noch nichts über dich.",
        knows_nothing_about="Ich habe nichts im Gedächtnis über „{words}“.",
        not_read="Ich konnte mein Gedächtnis gerade nicht lesen und kann also nicht sagen, was ich weiß.",
        still_reading="Einiges von vorher wird noch gelesen; frag gleich noch einmal, um sicher zu sein.",
        more="… und {count} weitere.",
        said="{who}: {words}",
        headings={
            "profile": "Über dich",
            "task_context": "Woran du arbeitest",
            "experience": "Wie ähnliche Aufgaben verliefen",
            "conversation": "Aus unseren Gesprächen",
            "other": "Außerdem",
            "user": "du sagtest",
            "assistant": "ich sagte",
        },
    ),
    "zh": Sentences(
        remembered="我会记住：{words}",
        known_already="这一点我已经记住了：{words}",
        not_remembered="刚才没能保存，所以没有记住：{words}",
        too_long="内容太长，无法作为一条记住（{length} 个字符，最多 {most} 个）。请说得短一些。",
        forgotten="你要我忘记的内容，我不再使用：{words}",
        forgotten_those="已忘记，以下内容我不再使用：",
        not_found="我的记忆里没有这样的内容，所以没有忘记任何东西：{words}",
        closest="最接近的有以下几条；请用你所指那一条的原话说“忘记……”：",
        not_forgotten="刚才没能忘记，所以仍在使用：{words}",
        sure="这会忘记我知道的关于你的一切。如果确定，请说：是的，忘掉关于我的一切",
        forgot_everything="我知道的关于你的一切都不再使用。历史记录会保留，直到管理员从磁盘上删除："
        "python -m graph memory forget --user {user}",
        nothing_to_forget="我对你一无所知，所以没有什么可忘记的。",
        knows="我知道的关于你的内容：",
        knows_about="我知道的关于“{words}”的内容：",
        knows_nothing="我还不知道关于你的任何事。",
        knows_nothing_about="我的记忆里没有关于“{words}”的内容。",
        not_read="刚才无法读取记忆，所以说不出我知道什么。",
        still_reading="之前说的话还有一部分正在读取，请稍后再问一次以确认。",
        more="……还有 {count} 条。",
        said="{who}：{words}",
        headings={
            "profile": "关于你",
            "task_context": "你正在做的事",
            "experience": "类似任务的经验",
            "conversation": "来自我们的对话",
            "other": "其他",
            "user": "你说过",
            "assistant": "我说过",
        },
    ),
    "ja": Sentences(
        remembered="覚えておきます：{words}",
        known_already="それはすでに覚えています：{words}",
        not_remembered="今は保存できなかったため、覚えていません：{words}",
        too_long="一度に覚えるには長すぎます（{length}文字、最大{most}文字）。短く言ってください。",
        forgotten="忘れるように言われたことは、もう使いません：{words}",
        forgotten_those="忘れました。次のことはもう使いません：",
        not_found="そのような記憶は見つからなかったため、何も忘れていません：{words}",
        closest="最も近いものは次のとおりです。該当するものの言葉で「…を忘れて」と言ってください：",
        not_forgotten="今は忘れることができなかったため、まだ使われています：{words}",
        sure="あなたについて知っていることをすべて忘れることになります。よろしければ、こう言ってください：はい、私のことをすべて忘れてください",
        forgot_everything="あなたについて知っていたことは、もう何も使いません。管理者がディスクから消去するまで履歴には残ります："
        "python -m graph memory forget --user {user}",
        nothing_to_forget="あなたについて何も知らなかったので、忘れることはありませんでした。",
        knows="あなたについて知っていること：",
        knows_about="「{words}」について知っていること：",
        knows_nothing="あなたについてはまだ何も知りません。",
        knows_nothing_about="「{words}」についての記憶はありません。",
        not_read="今は記憶を読めなかったため、何を知っているか言えません。",
        still_reading="以前の発言の一部をまだ読み込み中です。念のため、少し後でもう一度お尋ねください。",
        more="……ほか{count}件。",
        said="{who}：{words}",
        headings={
            "profile": "あなたについて",
            "task_context": "取り組んでいること",
            "experience": "似た作業の経過",
            "conversation": "これまでの会話から",
            "other": "その他",
            "user": "あなたの発言",
            "assistant": "私の発言",
        },
    ),
}
