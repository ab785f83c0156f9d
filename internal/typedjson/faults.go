package typedjson

import "graphrest/internal/fault"

// Faults collects the faults of a part of a body that is read from its tree, so that a client sees all of them. The zero value is empty.
type Faults struct{ all []*fault.Error }

// Invalid adds a fault of a field.
func (f *Faults) Invalid(field, format string, args ...any) {
	f.Add(fault.Invalid(field, format, args...))
}

// Add adds faults. Nil ones are ignored.
func (f *Faults) Add(faults ...*fault.Error) {
	for _, each := range faults {
		if each != nil {
			f.all = append(f.all, each)
		}
	}
}

// Any reports whether there is a fault.
func (f *Faults) Any() bool { return len(f.all) > 0 }

// Err returns all faults as one VALIDATION_ERROR with at most 20 details, or nil.
func (f *Faults) Err() *fault.Error {
	if !f.Any() {
		return nil
	}
	var details []fault.Detail
	for _, each := range f.all {
		details = append(details, each.Details...)
	}
	return fault.New(fault.Validation, "Invalid input", details[:min(len(details), fault.MaxDetails)]...)
}
