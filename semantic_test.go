package cantle_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/embed"
)

// topics are texts whose subject changes from one entry to the next, and at no
// other place. As one paragraph nothing but the meaning shows it.
var topics = map[string][]string{
	"en": {
		"The bakery fires its oven at two in the morning. Rye bread goes into the oven first, because rye needs the greatest heat. Wheat bread follows when the oven has lost some of its heat. The baker turns every loaf of bread once while it is in the oven. A loaf that sounds hollow when the baker knocks on it is done. ",
		"The lighthouse stands on a rock two miles from the coast. Its lamp was lit with oil until the lamp was made electric. A keeper lived in the lighthouse and wound the clockwork that turned the lamp. Ships far out at sea counted the flashes of the lamp to know which lighthouse they saw. No keeper has lived on the rock since the lighthouse was made automatic. ",
		"A football match is played by two teams of eleven players. The referee can send a player off the field for a serious foul. A team scores when the whole ball crosses the line of the goal. If neither team has scored more goals when the match ends, it is a draw. The players change ends of the field at half time. ",
		"Bees gather nectar from flowers and carry it to the hive. In the hive other bees fan the nectar with their wings until it thickens to honey. The queen lays all the eggs from which new bees hatch. A strong hive holds fifty thousand bees in summer. The beekeeper leaves enough honey in the hive for the bees to live on in winter. ",
	},
	"zh": {
		"面包店凌晨两点就给烤炉生火。黑麦面包最先放进烤炉，因为黑麦面包需要最高的温度。等烤炉的温度降低一些，再烤小麦面包。面包师傅会把烤炉里的每个面包翻转一次。面包师傅敲一敲面包，声音发空就说明面包烤好了。",
		"灯塔建在离海岸两海里的礁石上。灯塔的灯早先烧油，后来灯塔的灯改用电。守塔人住在灯塔里，给转动灯塔的灯的钟表机构上弦。远处海上的船只数着灯塔的灯闪了几次，就知道看见的是哪座灯塔。灯塔改成自动以后，再也没有守塔人住在灯塔里。",
		"一场足球比赛由两支球队进行，每支球队有十一名球员。球员严重犯规时，裁判可以把球员罚出球场。整个足球越过球门线，球队就得一分。比赛结束时两支球队得分相同，比赛就是平局。上半场比赛结束以后，两支球队的球员交换球场。",
		"蜜蜂从花朵上采集花蜜，把花蜜带回蜂巢。蜂巢里的蜜蜂扇动翅膀，让花蜜变成浓稠的蜂蜜。蜂后在蜂巢里产卵，新的蜜蜂从卵里孵化出来。夏天一个强壮的蜂巢有五万只蜜蜂。养蜂人会在蜂巢里留下足够的蜂蜜，让蜜蜂过冬。",
	},
}

// boundaries cuts the topics of a language as one paragraph and says how many
// of the changes a chunk begins at, how many none does, and how many chunks
// begin where nothing changes.
func boundaries(t *testing.T, language string, semantic chunker.SemanticOptions) (found, missed, wrong int) {
	t.Helper()
	text := strings.Join(topics[language], "")
	chunks, err := cantle.Chunk(context.Background(), "topics.txt", []byte(text), cantle.Options{
		Cut: chunker.Options{Strategy: chunker.Semantic, Max: 1000, Min: -1, Semantic: semantic}})
	if err != nil {
		t.Fatal(err)
	}
	var changes []int
	at := 0
	for _, topic := range topics[language][:len(topics[language])-1] {
		at += len(topic)
		changes = append(changes, at)
	}
	for _, c := range chunks[1:] {
		if slices.Contains(changes, c.Start) {
			found++
		} else {
			wrong++
		}
	}
	return found, len(changes) - found, wrong
}

// Three changes are there to be found among 19 places between sentences. What
// amount finds them depends on what embeds: cosines of lexical are far below
// those of a model.
func TestSemanticFindsTopics(t *testing.T) {
	tests := []struct {
		embedder, language string
		mode               chunker.SemanticMode
		amount             float64 // 0: the default of the mode
		found, wrong       int     // at least, at most
	}{
		{"lexical", "en", chunker.MaxMin, 0.2, 3, 5},
		{"lexical", "zh", chunker.MaxMin, 0.2, 3, 0},
		{"lexical", "en", chunker.MaxMin, 0, 3, 15}, // the published 0.6 is for models
		{"lexical", "en", chunker.Threshold, 0.1, 3, 2},
		{"lexical", "zh", chunker.Threshold, 0.1, 3, 0},
		{"lexical", "en", chunker.Percentile, 85, 3, 0},
		{"lexical", "zh", chunker.Percentile, 85, 3, 0},
		{"lexical", "en", chunker.StdDev, 0, 3, 0},
		{"lexical", "zh", chunker.StdDev, 0, 3, 1},
		{"lexical", "en", chunker.Gradient, 85, 1, 2},
		{"lexical", "zh", chunker.Gradient, 85, 3, 0},
		{"lexical", "zh", chunker.MaxMinPlain, 0, 3, 1},
		{"lexical", "en", chunker.MaxMinPlain, 0, 0, 0}, // two sentences without a common word, and all may join

		{"minilm", "en", chunker.MaxMin, 0.3, 3, 1},
		{"minilm", "en", chunker.MaxMin, 0, 3, 9},
		{"minilm", "en", chunker.MaxMinPlain, 0, 3, 1},
		{"minilm", "en", chunker.Threshold, 0.3, 3, 0},
		{"minilm", "en", chunker.Percentile, 85, 3, 0},
		{"minilm", "en", chunker.StdDev, 0, 3, 0},
		{"minilm", "en", chunker.Gradient, 85, 3, 0},
		{"minilm", "zh", chunker.MaxMin, 0, 2, 0}, // a model of English: it knows no Chinese word, but some characters
		{"minilm", "zh", chunker.Threshold, 0.5, 2, 0},
	}
	embedders := map[string]chunker.Embedder{"lexical": &embed.Lexical{}}
	if folder := os.Getenv("CANTLE_MINILM"); folder != "" {
		m, err := embed.OpenMiniLM(folder)
		if err != nil {
			t.Fatal(err)
		}
		embedders["minilm"] = m
	}
	for _, test := range tests {
		e := embedders[test.embedder]
		if e == nil {
			continue // CANTLE_MINILM names no model
		}
		found, missed, wrong := boundaries(t, test.language, chunker.SemanticOptions{Embedder: e, Mode: test.mode, Amount: test.amount})
		t.Logf("%-7s %s %-13s %-4v found %d, missed %d, wrong %d", test.embedder, test.language, test.mode, test.amount, found, missed, wrong)
		if found < test.found || wrong > test.wrong {
			t.Errorf("%s %s %s %v: found %d of the changes, and %d that are none; want %d and %d at most",
				test.embedder, test.language, test.mode, test.amount, found, wrong, test.found, test.wrong)
		}
	}
}
