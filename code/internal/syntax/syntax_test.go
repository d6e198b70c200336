package syntax

import "testing"
import "unsafe"

func TestLayout(t *testing.T) {
	var n Node
	if unsafe.Sizeof(n) != 20 || unsafe.Offsetof(n.Next) != 8 || unsafe.Offsetof(n.Symbol) != 12 || unsafe.Offsetof(n.Field) != 14 || unsafe.Offsetof(n.Flags) != 16 {
		t.Errorf("Node is laid out otherwise than cantle_node")
	}
}
