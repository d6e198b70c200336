package tables

import "testing"

func TestAsFacts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"no table\n", "no table\n"},
		{"a | b\n\nc | d", "a | b\n\nc | d"},
		{"Sales:\n\n| Item | 2023 | 2024 |\n|---|---|---|\n| Boats | 7 | 9 |\n| Oars | | 3 |\n\nMore.\n", "Sales:\n\nBoats, 2023: 7\nBoats, 2024: 9\nOars, 2024: 3\n\nMore.\n"},
		{"Item | 2023\n--- | ---\n**Costs** |\nTax | 5 | 6\n", "**Costs**\nTax, 2023: 5\nTax: 6\n"},
		{"| K | x\\|y |\n|---|---|\n| a | 1 |\n| K | V |\n|---|---|\n| b | 2 |", "a, x|y: 1\nK, x|y: V\nb, x|y: 2\n"},
		{"|  | V |\n|---|---|\n|  | 2 |\n", "V: 2\n"},
		{"|---|---|\n| a | 1 |\n", "| a | 1 |\n"},
		{"| only a header |\n|---|", "| only a header |\n"},
	} {
		if got := AsFacts(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	for range Facts("| K | V |\n|---|---|\n| a | 1 |\n| b | 2 |\n") {
		break // ends early
	}
}
