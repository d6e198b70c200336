package code

var xml = &Language{
	Name:       "xml",
	Extensions: []string{".xml", ".xsd", ".xsl", ".xslt", ".wsdl", ".csproj", ".fsproj", ".vbproj", ".props", ".targets", ".plist", ".rss", ".atom", ".xaml", ".resx"},
	Aliases:    []string{"xsd", "wsdl"},

	values: []string{"element"},
	opens:  []string{"prolog", "content"},
	names:  []string{"STag", "Name"},
}
