package segment

// A habit is how the full stop after a word behaves.
type habit uint8

const (
	ordinary habit = iota // ends a sentence
	title                 // never ends one: a name or an example follows
	label                 // does not end one before a number: No. 5
	final                 // may end one: only the next word tells
)

// abbreviation returns the habit of word, written without its last full stop.
// Words that also occur in full (no, sun, may) are listed in the form in which
// they are short.
func abbreviation(word string) habit {
	switch word {
	case "Dr", "Mr", "Mrs", "Ms", "Mx", "Prof", "Messrs", "Mme", "Mlle", "Mt", "Ft",
		"Gen", "Col", "Maj", "Capt", "Cmdr", "Lt", "Sgt", "Rep", "Sen", "Gov", "Pres", "Rev", "Hon", "Fr", "Adm", "Amb",
		"DR", "MR", "MRS", "MS", "PROF",
		"e.g", "i.e", "E.g", "I.e", "eg", "ie", "viz", "cf", "Cf", "v", "vs", "Vs", "resp", "incl", "excl", "approx", "Approx", "ca", "esp":
		return title
	case "No", "Nos", "no", "nos", "NO", "Nr", "nr", "p", "pp", "P", "Pp", "pg", "Fig", "Figs", "fig", "figs", "Eq", "Eqs", "eq", "eqs",
		"Sec", "Secs", "sec", "secs", "Sect", "sect", "Ch", "ch", "Chap", "chap", "Vol", "Vols", "vol", "vols", "Ref", "Refs", "ref", "refs",
		"Art", "Arts", "art", "arts", "Para", "Paras", "para", "paras", "Pt", "pt", "Ex", "Exs", "ex", "Tab", "tab", "Tbl", "App", "app",
		"Def", "def", "Thm", "Prop", "Lem", "Cor", "cl", "Cl", "Bd", "Rn", "ver", "Ver", "op", "Op", "n", "nn", "l", "ll", "c", "s", "ss", "r", "rr", "Reg", "Regs":
		return label
	case "etc", "Etc", "al", "Inc", "INC", "inc", "Ltd", "LTD", "ltd", "Co", "CO", "co", "Cos", "Corp", "CORP", "corp", "Corps", "Bros", "LLC", "Plc", "plc", "Pty", "GmbH", "Cie",
		"St", "Jr", "Sr", "Esq", "Ph.D", "PhD", "M.Sc", "B.Sc", "Ed", "ed", "eds", "Eds", "est", "Est", "trans", "repr", "rev",
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
		"Mon", "Tue", "Tues", "Wed", "Thu", "Thur", "Thurs", "Fri", "Sat", "Sun",
		"Ave", "Blvd", "Rd", "Hwy", "Dept", "dept", "Div", "Govt", "govt", "Univ", "Inst", "Assn", "Assoc", "Natl", "Intl", "Mfg", "Bldg",
		"hr", "hrs", "min", "mins", "ft", "oz", "lb", "lbs", "km", "cm", "mm", "kg", "max", "avg", "temp", "misc", "tel", "Tel", "ext", "Ext",
		"yr", "yrs", "mo", "mos", "wk", "wks", "bn", "mn", "mil", "Cal", "Calif", "Conn", "Fla", "Mass", "Mich", "Minn", "Pa", "Penn", "Tex", "Va", "Wash", "Wis", "Ga", "Ala", "Ariz", "Ark", "Colo", "Del", "Ind", "Kan", "Ky", "La", "Md", "Miss", "Mo", "Mont", "Neb", "Nev", "Okla", "Ore", "Tenn", "Supp", "Ct", "Cir", "Dist":
		return final
	}
	return ordinary
}

// startsSentence reports whether word, capitalised, is far likelier to open a
// sentence than to belong to a name.
func startsSentence(word string) bool {
	switch word {
	case "The", "A", "An", "This", "That", "These", "Those", "It", "Its", "He", "She", "His", "Her", "They", "Their", "We", "Our", "You", "Your", "I", "My",
		"In", "On", "At", "By", "For", "From", "To", "With", "Without", "Within", "Under", "Over", "Of", "As", "After", "Before", "Since", "Until", "During", "Through", "Between", "Among", "Upon", "Per", "Despite", "Based", "Following",
		"And", "But", "Or", "Nor", "So", "Yet", "If", "Unless", "Because", "Although", "Though", "While", "When", "Whenever", "Where", "Whether", "Once",
		"However", "Therefore", "Thus", "Hence", "Moreover", "Furthermore", "Meanwhile", "Instead", "Otherwise", "Additionally", "Also", "Then", "Now", "Here", "There", "Today", "Later", "Finally", "First", "Second", "Next", "Still", "Even", "Only", "Just", "Perhaps",
		"What", "Who", "Why", "How", "Which", "Whose", "Some", "Any", "All", "Both", "Each", "Every", "Many", "Most", "Such", "Several", "Few", "No", "Not", "None", "One", "Two", "Three", "Other", "Others", "Another",
		"Is", "Are", "Was", "Were", "Do", "Does", "Did", "Can", "Could", "Should", "Would", "Will", "May", "Must", "Has", "Have", "Had", "Let", "Please", "See", "Note", "Use", "Using", "Make", "Add", "Run", "Set", "Yes":
		return true
	}
	return false
}
