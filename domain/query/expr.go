package query

import (
	"math/big"
	"time"

	"github.com/google/uuid"
)

// Expr is a node of a filter tree: And, Or or Cond.
type Expr interface{ isExpr() }

// And holds if all its parts hold; an empty And holds.
type And []Expr

// Or holds if one of its parts holds; an empty Or does not hold.
type Or []Expr

// Cond compares one attribute with values. It holds if the comparison holds for any of them; NotEq
// and NotCont hold if the comparison holds for all of them. It never holds for a null attribute,
// unless Op is Null. A set equals each value that it contains.
type Cond struct {
	Attr   Attr
	Op     Op
	Values []Value
}

func (And) isExpr()  {}
func (Or) isExpr()   {}
func (Cond) isExpr() {}

// Op is a predicate of the filter language. The predicates in and not_in are Eq and NotEq with
// several values.
type Op uint8

// The predicates.
const (
	Eq      Op = iota + 1 // text: the same bytes; times: within the operand's range
	NotEq                 // the attribute has a value and Eq does not hold
	Cont                  // text: the fold contains the operand's fold
	NotCont               // the attribute has a value and Cont does not hold
	Start                 // text: the fold begins with the operand's fold
	End                   // text: the fold ends with the operand's fold
	Lt                    // text: by fold; times: before the operand's range
	Lteq                  // times: before the end of the operand's range
	Gt                    // times: not before the end of the operand's range
	Gteq                  // times: not before the operand's range
	Null                  // Bool true: the attribute is null; false: it is not
)

// Kind is the type of an attribute's values.
type Kind uint8

// The kinds of attribute.
const (
	Text Kind = iota + 1 // any UTF-8 without NUL; also links
	UUID
	UUIDs     // a set of UUIDs; the empty set is null
	Token     // text that is compared only as a whole, such as a composite id
	Integer   // a 64-bit whole number
	Number    // an exact decimal
	Boolean   // true or false
	Date      // a day
	Timestamp // an instant, whole milliseconds, UTC
)

// Ordered reports whether lists can be sorted by attributes of the kind; sets have no order.
func (k Kind) Ordered() bool { return k != UUIDs }

// Value is an operand, or an attribute's value in a record. The attribute's Kind determines which
// field is used.
type Value struct {
	Null bool        // for attributes only
	Text string      // Text, Token
	Fold string      // text.Fold of Text, if Kind is Text; always set in operands, for attributes only in a Record
	ID   uuid.UUID   // UUID; in an operand of kind UUIDs, the element to look for
	IDs  []uuid.UUID // UUIDs, attributes only
	Int  int64       // Integer
	Num  *big.Rat    // Number
	Bool bool        // Boolean, and the operand of Null
	// From is the attribute's Date (midnight UTC) or Timestamp. In an operand, the range is [From,
	// To), in whole milliseconds.
	From, To time.Time
}

// Attr identifies an attribute in a tree or a sort.
type Attr struct {
	Name     string // name that clients use
	Kind     Kind
	Nullable bool
	// Source is the name of the stored attribute. It differs from Name if the attribute is a link,
	// which consists of Prefix, the stored text and Suffix.
	Source         string
	Prefix, Suffix string
	// Parts is the number of UUIDs, joined by colons, of a Token; 0 means any text.
	Parts int
	// Derived is the definition of a derived attribute, or nil if the attribute is stored.
	Derived *Derivation
	// Property is the name of the property if the attribute is a property, and otherwise "".
	Property string
}
