package typedjson_test

import (
	"fmt"

	"graphrest/internal/typedjson"
)

// A type that JSON lacks is a tagged object, and a number is an integer or a float as it is written.
func Example() {
	properties, faults := typedjson.DecodeProperties("properties",
		[]byte(`{"born":{"$type":"Date","_value":"1960-05-01"},"films":12,"name":"Joe","rating":7.0}`))
	fmt.Println(typedjson.TypeName(properties["films"]), typedjson.TypeName(properties["rating"]), len(faults))
	fmt.Println(string(typedjson.AppendProperties(nil, properties)))
	// Output:
	// Integer Float 0
	// {"born":{"$type":"Date","_value":"1960-05-01"},"films":12,"name":"Joe","rating":7.0}
}
