package html

import (
	"fmt"
	"strings"
	"testing"
)

// TestMainInAllScripts holds that what is left out beside the main content
// does not depend on the script of a page.
func TestMainInAllScripts(t *testing.T) {
	for _, c := range []struct{ menu, content, footer string }{
		{"Home", "This is the text of the page that has to be kept.", "All rights reserved"},
		{"Главная", "Это основной текст страницы, который нужно сохранить.", "Все права защищены"},
		{"Αρχική", "Αυτό είναι το κύριο κείμενο της σελίδας που πρέπει να μείνει.", "Με επιφύλαξη"},
		{"الرئيسية", "هذا هو النص الأساسي للصفحة الذي يجب الاحتفاظ به.", "جميع الحقوق محفوظة"},
		{"בית", "זהו הטקסט העיקרי של הדף שצריך לשמור.", "כל הזכויות שמורות"},
		{"หน้าแรก", "นี่คือข้อความหลักของหน้าที่ต้องเก็บไว้", "สงวนลิขสิทธิ์"},
		{"홈페이지", "이것은 보존해야 하는 페이지의 주요 텍스트입니다.", "판권 소유"},
		{"होम", "यह पृष्ठ का मुख्य पाठ है जिसे रखना आवश्यक है।", "सर्वाधिकार सुरक्षित"},
		{"ホーム", "これは残しておくべきページの本文です。", "全著作権所有"},
		{"首页", "这是必须保留的网页正文内容。", "版权所有"},
		{"Überblick", "Élan, été, œuvre: čeština žije, łódź ąż ęś.", "Änderungen"},
	} {
		page := fmt.Sprintf("<nav><ul><li><a href=/>%s</a></ul></nav><main><p>%s</p></main><footer>%s</footer>", c.menu, c.content, c.footer)
		doc := Parse("t", []byte(page), Options{})
		if got := strings.TrimSpace(written(doc)); got != c.content {
			t.Errorf("got %q, want %q", got, c.content)
		}
	}
}

func TestCountWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
	}{
		{"", 0}, {" \n", 0}, {"one  two\u00a0three", 3}, {"Привет, мир.", 2}, {"世界 and кана", 4}, {"ひらがな", 4}, {"หน้าแรก", 2},
		{"« été »", 1}, {"한국어 텍스트", 2}, {"caf\xe9 \xe9t\xe9", 2},
	} {
		if got := countWords([]byte(c.text)); got != c.want {
			t.Errorf("%q: got %d, want %d", c.text, got, c.want)
		}
	}
}
