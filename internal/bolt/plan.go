package bolt

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Plan is one operator of an execution plan, with those that it reads from. Operators are named as in the Neo4j manual, "Operators at a
// glance", without the release that the database appends to them.
type Plan struct {
	Operator string
	Details  string  // what the operator works on, as the database prints it; "" if nothing
	Rows     float64 // the planner's estimate
	Children []Plan
}

// ReadPlan reads a whole plan. neo4j.Plan.Children of driver v5 returns the last child once for each child: it takes the address of the
// variable of a loop, and the driver's module states Go 1.18, in which a loop has one. So the children are read from the driver's own
// record by reflection; plan_test.go fails if the record changes.
func ReadPlan(plan neo4j.Plan) (Plan, error) {
	record := reflect.ValueOf(plan)
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	if record.Kind() == reflect.Struct {
		record = record.FieldByName("plan")
	}
	if !record.IsValid() || record.Kind() != reflect.Pointer || record.IsNil() {
		return Plan{}, fmt.Errorf("the driver's plan is a %T, of which the children cannot be read", plan)
	}
	return planOf(record.Elem())
}

// planOf reads the driver's record of an operator: Operator string, Arguments map[string]any, Children []record.
func planOf(record reflect.Value) (Plan, error) {
	operator, arguments, children := record.FieldByName("Operator"), record.FieldByName("Arguments"), record.FieldByName("Children")
	if operator.Kind() != reflect.String || arguments.Kind() != reflect.Map || children.Kind() != reflect.Slice {
		return Plan{}, fmt.Errorf("the driver's record of an operator is a %s, which cannot be read", record.Type())
	}
	var p Plan
	p.Operator, _, _ = strings.Cut(operator.String(), "@")
	if details := argument(arguments, "Details"); details.Kind() == reflect.String {
		p.Details = details.String()
	}
	if rows := argument(arguments, "EstimatedRows"); rows.Kind() == reflect.Float64 {
		p.Rows = rows.Float()
	}
	for i := range children.Len() {
		child, err := planOf(children.Index(i))
		if err != nil {
			return Plan{}, err
		}
		p.Children = append(p.Children, child)
	}
	return p, nil
}

// argument returns the value of a name, or the zero reflect.Value.
func argument(arguments reflect.Value, name string) reflect.Value {
	value := arguments.MapIndex(reflect.ValueOf(name))
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	return value
}
