package httpapi

import (
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/rules"
)

// checkQueries checks which permission or role allows the saved query that the request names, or saved queries at all. Roles allow them by
// their member queries, not by a grant. NOT_FOUND is the answer for a query that the user may not run, whether or not there is one.
func (e *explanation) checkQueries() error {
	name := e.values["name"]
	decided, err := e.queriesDecidedBy(name)
	if err != nil {
		return err
	}
	if name == "" {
		e.pass("query", "the answer has the saved queries that the user may run", decided...)
		return nil
	}
	if len(decided) == 0 {
		reason := "no role of the user names " + name + " in its queries"
		e.fail("query", reason, fault.NotFound, rules.Decision{Reason: reason})
		return nil
	}
	switch _, err := e.call.api.options.Queries.Query(e.call.ctx(), queryCaller(e.principal), name); fault.CodeOf(err) {
	case "":
		e.pass("query", "the user may run "+name, decided...)
	case fault.NotFound:
		e.fail("query", "there is no saved query "+name, fault.NotFound)
	default:
		return err
	}
	return nil
}

// queriesDecidedBy names the permission or the roles by which the principal may run a saved query; any of them if the name is empty.
func (e *explanation) queriesDecidedBy(name string) ([]rules.Decision, error) {
	if e.principal.May(auth.Query) {
		return []rules.Decision{{Reason: "the permission query allows every saved query"}}, nil
	}
	var decided []rules.Decision
	for _, of := range e.principal.Roles {
		role, err := e.call.api.options.Accounts.Role(e.call.ctx(), of)
		if fault.CodeOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		alone := auth.Principal{Queries: role.Queries}
		if alone.MayRun(name) || name == "" && alone.MayRunQueries() {
			decided = append(decided, rules.Decision{Role: of, Grant: rules.NoGrant, Reason: "its queries are " + strings.Join(role.Queries, ", ")})
		}
	}
	return decided, nil
}
