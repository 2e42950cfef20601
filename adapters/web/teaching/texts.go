package teaching

// t returns a text of the pages in the language of the visitor. Texts are named by their English
// wording. In a text, %s stands for a name.
func (x *siteRequest) t(english string) string {
	if x.Language() == "de" {
		if german, ok := german[english]; ok {
			return german
		}
	}
	return english
}
