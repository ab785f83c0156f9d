package bench

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"graphrest/internal/graph"
)

// service is what a team would write by hand in place of the gateway: gin, a bearer token checked and a rate limit counted in memory on
// every request, one ExecuteQuery for each, and the gateway's JSON. Its paths name the type, so that each request has the Cypher of its
// type. It has no audit, no history and no validation.
type service struct {
	driver     neo4j.DriverWithContext
	database   string
	statements *statementSet
	types      map[string]int // index of a node type or an edge type
	secret     []byte
	limits     limiter.Store
}

// newService returns the handler of a service for the types of a data set, and what closes it.
func newService(at Neo4j, size Size, secret string) (http.Handler, func(context.Context) error, error) {
	d, err := newDataset(Size{NodeTypes: size.NodeTypes, EdgeTypes: size.EdgeTypes})
	if err != nil {
		return nil, nil, err
	}
	limits, err := memorystore.New(&memorystore.Config{Tokens: benchLimit, Interval: time.Hour})
	if err != nil {
		return nil, nil, err
	}
	driver, err := newBenchDriver(at)
	if err != nil {
		return nil, nil, err
	}
	v := &service{
		driver: driver, database: at.Database, statements: newStatements(d), types: map[string]int{}, secret: []byte(secret), limits: limits,
	}
	for _, names := range [][]string{d.NodeTypes, d.EdgeTypes} {
		for i, name := range names {
			v.types[name] = i
		}
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	api := router.Group("/api", v.authenticate, v.limit)
	api.GET("/list", v.serve(ListFirst))
	api.GET("/nodes/:type/:id", v.serve(NodeByID))
	api.POST("/nodes/:type", v.serve(CreateNode))
	api.PUT("/nodes/:type/:id", v.serve(UpdateNode))
	api.DELETE("/nodes/:type/:id", v.serve(DeleteNode))
	api.GET("/edges/:type/:id", v.serve(EdgeByID))
	api.POST("/edges/:type", v.serve(CreateEdge))
	return router, func(ctx context.Context) error { return errors.Join(driver.Close(ctx), limits.Close(ctx)) }, nil
}

// serviceToken signs a token of the service.
func serviceToken(secret string) (string, error) {
	claims := jwt.RegisteredClaims{Subject: benchUser, ExpiresAt: jwt.NewNumericDate(time.Now().Add(24 * time.Hour))}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(secret))
}

func (v *service) authenticate(c *gin.Context) {
	const scheme = "Bearer "
	text := c.GetHeader("Authorization")
	var claims jwt.RegisteredClaims
	if len(text) > len(scheme) && text[:len(scheme)] == scheme {
		_, err := jwt.ParseWithClaims(text[len(scheme):], &claims, func(*jwt.Token) (any, error) { return v.secret, nil },
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired())
		if err == nil {
			c.Set("user", claims.Subject)
			return
		}
	}
	c.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"error": "no valid token"})
}

func (v *service) limit(c *gin.Context) {
	if _, _, _, ok, err := v.limits.Take(c.Request.Context(), c.GetString("user")); err != nil || !ok {
		c.AbortWithStatusJSON(http.StatusTooManyRequests, gin.H{"error": "too many requests"})
	}
}

// serviceBody is the body of a create or an update.
type serviceBody struct {
	SourceID   string         `json:"source_id"`
	TargetID   string         `json:"target_id"`
	Properties map[string]any `json:"properties" binding:"required"`
}

// serve runs the Cypher of an operation and answers with what it returns; 404 if that is nothing.
func (v *service) serve(operation Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		index, known := v.types[c.Param("type")]
		if !known && operation != ListFirst {
			c.JSON(http.StatusNotFound, gin.H{"error": "no such type"})
			return
		}
		parameters := map[string]any{"id": c.Param("id"), "after": c.Query("after")}
		var body serviceBody
		if operation == CreateNode || operation == CreateEdge || operation == UpdateNode {
			err := c.ShouldBindJSON(&body)
			if err == nil && operation != UpdateNode {
				body.Properties[idProperty], err = graph.NewID(graph.TypeName(c.Param("type")))
			}
			if err != nil {
				c.JSON(http.StatusBadRequest, gin.H{"error": "the body: " + err.Error()})
				return
			}
			parameters["source"], parameters["target"], parameters["properties"] = body.SourceID, body.TargetID, body.Properties
		}
		options := []neo4j.ExecuteQueryConfigurationOption{neo4j.ExecuteQueryWithDatabase(v.database)}
		if c.Request.Method == http.MethodGet {
			options = append(options, neo4j.ExecuteQueryWithReadersRouting())
		}
		text := v.statements.of(&work{operation: operation, entity: entity{Type: index}})
		result, err := neo4j.ExecuteQuery(c.Request.Context(), v.driver, text, parameters, neo4j.EagerResultTransformer, options...)
		switch {
		case err != nil:
			c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
		case len(result.Records) == 0 || result.Records[0].Values[0] == int64(0):
			c.JSON(http.StatusNotFound, gin.H{"error": "not found"})
		case operation == ListFirst:
			c.JSON(http.StatusOK, gin.H{"data": documentsOf(result.Records), "meta": gin.H{"page": gin.H{"limit": pageSize}}})
		case operation == DeleteNode:
			c.JSON(http.StatusOK, gin.H{"data": gin.H{"id": c.Param("id"), "deleted": true}})
		case operation == CreateNode || operation == CreateEdge:
			c.JSON(http.StatusCreated, gin.H{"data": documentsOf(result.Records)[0]})
		default:
			c.JSON(http.StatusOK, gin.H{"data": documentsOf(result.Records)[0]})
		}
	}
}

// serviceEntity is the JSON of a node or an edge.
type serviceEntity struct {
	ID         any            `json:"id"`
	Type       string         `json:"type"`
	Labels     []string       `json:"labels,omitempty"`
	SourceID   any            `json:"source_id,omitempty"`
	TargetID   any            `json:"target_id,omitempty"`
	Properties map[string]any `json:"properties"`
}

// documentsOf is the JSON of the entities in the first column; the others are the ends of an edge.
func documentsOf(records []*neo4j.Record) []serviceEntity {
	all := make([]serviceEntity, len(records))
	for i, r := range records {
		switch e := r.Values[0].(type) {
		case neo4j.Node:
			all[i] = serviceEntity{Type: e.Labels[0], Labels: e.Labels, Properties: e.Props}
		case neo4j.Relationship:
			all[i] = serviceEntity{Type: e.Type, Properties: e.Props}
			if len(r.Values) == 3 {
				all[i].SourceID, all[i].TargetID = r.Values[1], r.Values[2]
			}
		}
		all[i].ID = all[i].Properties[idProperty]
		delete(all[i].Properties, idProperty)
	}
	return all
}
