"""Trains the small tokenizers of tokens/testdata on its train.txt, and writes down
what Hugging Face tokenizers makes of some texts with them.

    VENV/bin/pip install tokenizers sentencepiece protobuf
    VENV/bin/python goldens.py

Training is not the same on every version; what is checked is that package tokens
reads the files as the library does, so the files and the goldens go together.
"""

import base64, json, os, tempfile

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "../../tokens/testdata")

with open(os.path.join(DATA, "train.txt"), encoding="utf-8") as f:
    LINES = f.read().splitlines()

TEXTS = LINES + [
    "", " ", "  ", "\n", "a", " a", "a ", "  two  spaces  ", "tab\there", "line\none\r\n\r\nline two\n",
    "HARBOUR Harbour harbour", "e\u0301lan E\u0301LAN Möwe Mo\u0308we", "İstanbul ẞ ß ſ ǅ", "can't CAN'T we'll WE'LL",
    "[CLS] harbour [SEP]", "[UNK][MASK]x", "<s>harbour</s>", "x<mask>y x <mask> y", "  <mask>  ", "<|end|><|end", "<extra>  the<extra>", "onetwo one two", "the port_one",
    "1234567890 12,345.67 ½ ²", "price[i]+=count[i]*2;", "a--b !!! ?? ... -- __x__", "▁▁harbour ▁ x", "港口ship港口", "船。船，船", "ＦＵＬＬ　width ｶﾞ", "ﬁ ﬂ ㎏ ①",
    "\u0000\u0001a\u200bb\ufeffc\u00add", "\u00a0x\u2003y\u3000z", "😀 👩\u200d👩\u200d👧 🇩🇪", "ქართული ไทย हिन्दी العربية", "zzqqxxjjkkvv", "q" * 120, "the" * 40, "=" * 70, " " * 40 + "x", "港" * 60,
    "a" + "\u0301\u0327" * 20 + "b", "\u1100\u1161\u11a8 가각", "\ue000\U000e0001\U0001f9ff", "q\u0307\u0323",
]


def write(name, tokenizer):
    path = os.path.join(DATA, name + ".json")
    tokenizer.save(path, pretty=False)
    golden(name, Tokenizer.from_file(path))


def golden(name, t):
    t.no_truncation()
    with open(os.path.join(DATA, name + ".golden"), "w", encoding="utf-8") as f:
        for text in TEXTS:
            ids = t.encode(text, add_special_tokens=False).ids
            f.write(json.dumps({"text": text, "ids": ids}, ensure_ascii=True) + "\n")


def wordpiece(name, normalizer, size):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizer
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(LINES, trainers.WordPieceTrainer(vocab_size=size, special_tokens=special, show_progress=False))
    cls, sep = t.token_to_id("[CLS]"), t.token_to_id("[SEP]")
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", cls), ("[SEP]", sep)])
    t.enable_truncation(16)
    t.add_tokens([AddedToken("<mask>", lstrip=True, rstrip=True, normalized=False), AddedToken("one", single_word=True)])
    write(name, t)


def byte_level(name, normalizer, pre, size):
    t = Tokenizer(models.BPE())
    t.normalizer = normalizer
    t.pre_tokenizer = pre
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|end|>"], show_progress=False)
    t.train_from_iterator(LINES, trainer)
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.add_tokens([AddedToken("<extra>", rstrip=True, normalized=False), AddedToken("<mask>", lstrip=True)])
    write(name, t)


def sentencepiece_bpe(name, normalizer, pre, bytes, size):
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=bytes))
    t.normalizer = normalizer
    t.pre_tokenizer = pre
    special = ["<unk>", "<s>", "</s>"] + ([f"<0x{i:02X}>" for i in range(256)] if bytes else [])
    alphabet = 90
    t.train_from_iterator(LINES, trainers.BpeTrainer(vocab_size=size, limit_alphabet=alphabet, special_tokens=special, show_progress=False))
    t.post_processor = processors.TemplateProcessing(single="<s> $A", pair=None, special_tokens=[("<s>", t.token_to_id("<s>"))])
    t.save(os.path.join(DATA, name + ".json"), pretty=False)
    path = os.path.join(DATA, name + ".json")
    with open(path, encoding="utf-8") as f:
        d = json.load(f)
    d["added_tokens"] = d["added_tokens"][:3]  # the bytes are the model's own
    with open(path, "w", encoding="utf-8") as f:
        json.dump(d, f, ensure_ascii=False, separators=(",", ":"))
    golden(name, Tokenizer.from_file(path))


def unigram(name, size):
    """A model of SentencePiece's, converted as its users do."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    with tempfile.TemporaryDirectory() as tmp:
        rules = os.path.join(tmp, "rules.tsv")  # a few rules of its own, not the 200 kB of the usual ones
        pairs = [("ﬁ", "fi"), ("ﬂ", "fl"), ("㎏", "kg"), ("①", "1"), ("\t", " "), ("\n", " "), ("\r", ""), ("\u3000", " "), ("\u00a0", " "), ("e\u0301", "é"), ("o\u0308", "ö"), ("\u0000", ""), ("\u00ad", "")]
        pairs += [(chr(0xFF01 + i), chr(0x21 + i)) for i in range(94)] + [("ｶﾞ", "ガ"), ("ｶ", "カ"), ("🇩🇪", "DE")]
        with open(rules, "w") as f:
            for a, b in pairs:
                if a != "\u0000":
                    f.write(" ".join(f"{ord(c):X}" for c in a) + "\t" + " ".join(f"{ord(c):X}" for c in b) + "\n")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(LINES), model_prefix=os.path.join(tmp, "m"), vocab_size=size, model_type="unigram",
            normalization_rule_tsv=rules, character_coverage=0.98, hard_vocab_limit=False, minloglevel=2)
        model = sentencepiece_model_pb2.ModelProto()
        with open(os.path.join(tmp, "m.model"), "rb") as f:
            model.ParseFromString(f.read())
    vocab = [(p.piece, p.score) for p in model.pieces]
    t = Tokenizer(models.Unigram(vocab, unk_id=0))
    t.normalizer = normalizers.Sequence([
        normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap), normalizers.Replace(Regex(" {2,}"), " ")])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair=None, special_tokens=[("<s>", 1), ("</s>", 2)])
    t.add_special_tokens(["<unk>", "<s>", "</s>", AddedToken("<mask>", lstrip=True)])
    write(name, t)
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    write(name + "-first", t)


N, P = normalizers, pre_tokenizers
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
wordpiece("bert-uncased", N.BertNormalizer(), 500)
wordpiece("bert-cased", N.BertNormalizer(lowercase=False), 400)
byte_level("gpt2", None, P.ByteLevel(add_prefix_space=False), 420)
byte_level("roberta", None, P.ByteLevel(add_prefix_space=True), 420)
byte_level("llama3", N.NFC(), P.Sequence([P.Split(Regex(LLAMA3), "isolated"), P.ByteLevel(add_prefix_space=False, use_regex=False)]), 420)
sentencepiece_bpe("llama2", N.Sequence([N.Prepend("▁"), N.Replace(" ", "▁")]), None, True, 650)
sentencepiece_bpe("gemma", N.Replace(" ", "▁"), P.Split(" ", "merged_with_previous"), True, 650)
sentencepiece_bpe("plain-bpe", N.Sequence([N.NFKC(), N.Lowercase(), N.StripAccents(), N.Strip()]), P.Sequence([P.Whitespace(), P.Digits(individual_digits=True), P.Punctuation("isolated")]), False, 350)
unigram("xlm-roberta", 400)
