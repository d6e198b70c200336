// Package view shows how a document was cut, as a page in a browser: the
// source with its chunks as coloured bands, the tree and the chunks beside it.
//
// [Handler] serves the page and cuts anew when a control of it is moved;
// [Write] writes a page that needs nothing but itself, with the cuts it was
// given. Both are one file of HTML, CSS and script without a framework, whose
// lists draw only the lines in sight, so that 5 MB of source are no burden.
package view
