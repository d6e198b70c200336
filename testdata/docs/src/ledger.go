// Package ledger keeps accounts by double entry: what leaves one account
// enters another, so that all balances together are always zero.
package ledger

import (
	"errors"
	"fmt"
	"sort"
	"time"
)

// Scale is the number of units of Amount in one unit of currency.
const Scale = 100

// Errors of Post.
var (
	ErrUnbalanced = errors.New("ledger: entries do not add up to zero")
	ErrClosed     = errors.New("ledger: the period is closed")
)

// An Amount is a sum of money in hundredths; it is negative for what leaves.
type Amount int64

// String formats a as decimal number with two digits.
func (a Amount) String() string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	return fmt.Sprintf("%s%d.%02d", sign, a/Scale, a%Scale)
}

// An Entry changes one account.
type Entry struct {
	Account string
	Amount  Amount
	Note    string // for people; may be empty
}

// A Posting is a set of entries that belong together.
type Posting struct {
	At      time.Time
	Entries []Entry
}

// A Ledger holds postings in the order of their time. The zero value is an
// empty ledger.
type Ledger struct {
	postings []Posting
	closed   time.Time
}

// Post adds p. It fails with ErrUnbalanced if the entries of p do not add up
// to zero, and with ErrClosed if p lies in a period that Close has ended. A
// posting that fails changes nothing.
func (l *Ledger) Post(p Posting) error {
	var sum Amount
	for _, e := range p.Entries {
		sum += e.Amount
	}
	if sum != 0 {
		return fmt.Errorf("%w: %s is left over", ErrUnbalanced, sum)
	}
	if !p.At.After(l.closed) {
		return fmt.Errorf("%w since %s", ErrClosed, l.closed.Format(time.DateOnly))
	}
	i := sort.Search(len(l.postings), func(i int) bool { return l.postings[i].At.After(p.At) })
	l.postings = append(l.postings, Posting{})
	copy(l.postings[i+1:], l.postings[i:])
	l.postings[i] = p
	return nil
}

// Close ends the period up to and including t. It cannot be undone.
func (l *Ledger) Close(t time.Time) {
	if t.After(l.closed) {
		l.closed = t
	}
}

// Balance returns what is in an account at t.
func (l *Ledger) Balance(account string, t time.Time) Amount {
	var sum Amount
	for _, p := range l.postings {
		if p.At.After(t) {
			break
		}
		for _, e := range p.Entries {
			if e.Account == account {
				sum += e.Amount
			}
		}
	}
	return sum
}

// Accounts returns the names of all accounts, sorted.
func (l *Ledger) Accounts() []string {
	seen := map[string]bool{}
	var names []string
	for _, p := range l.postings {
		for _, e := range p.Entries {
			if !seen[e.Account] {
				seen[e.Account] = true
				names = append(names, e.Account)
			}
		}
	}
	sort.Strings(names)
	return names
}
