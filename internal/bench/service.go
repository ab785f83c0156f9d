package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"graphrest/internal/graph"
)

// service is what a team would write by hand in place of the gateway: gin, a bearer token checked and a rate limit counted on every
// request, one ExecuteQuery per request, and the gateway's JSON. Its paths name the type, so that each request has its own Cypher.
type service struct {
	driver     neo4j.DriverWithContext
	database   string
	statements *statementSet
	types      map[string]int // index in the data set, of node types and of edge types
	secret     []byte
	limits     limiter.Store
}

// newService returns the handler of a service, and what closes it.
func newService(s serverSetup) (http.Handler, func(context.Context), error) {
	d, err := readDataset(s.Data)
	if err != nil {
		return nil, nil, err
	}
	limits, err := memorystore.New(&memorystore.Config{Tokens: benchLimit, Interval: time.Hour})
	if err != nil {
		return nil, nil, err
	}
	driver, err := newBenchDriver(s.Neo4j)
	if err != nil {
		return nil, nil, err
	}
	v := &service{
		driver: driver, database: s.Neo4j.Database, statements: newStatements(d), types: map[string]int{},
		secret: []byte(s.Secret), limits: limits,
	}
	for i, name := range d.NodeTypes {
		v.types[name] = i
	}
	for i, name := range d.EdgeTypes {
		v.types[name] = i
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	api := router.Group("/api", v.authenticate, v.limit)
	api.GET("/list", v.list)
	api.GET("/nodes/:type/:id", v.read(NodeByID))
	api.POST("/nodes/:type", v.createNode)
	api.PUT("/nodes/:type/:id", v.updateNode)
	api.DELETE("/nodes/:type/:id", v.deleteNode)
	api.GET("/edges/:type/:id", v.read(EdgeByID))
	api.POST("/edges/:type", v.createEdge)
	return router, func(ctx context.Context) { _ = errors.Join(driver.Close(ctx), limits.Close(ctx)) }, nil
}

// serviceToken signs a token of the service.
func serviceToken(secret, user string) (string, error) {
	claims := jwt.RegisteredClaims{Subject: user, ExpiresAt: jwt.NewNumericDate(time.Now().Add(24 * time.Hour))}
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
	most, remaining, reset, ok, err := v.limits.Take(c.Request.Context(), c.GetString("user"))
	c.Header("X-RateLimit-Limit", strconv.FormatUint(most, 10))
	c.Header("X-RateLimit-Remaining", strconv.FormatUint(remaining, 10))
	c.Header("X-RateLimit-Reset", strconv.FormatUint(reset/uint64(time.Second), 10))
	if err != nil || !ok {
		c.AbortWithStatusJSON(http.StatusTooManyRequests, gin.H{"error": "too many requests"})
	}
}

// run runs the Cypher of an operation and answers with its records; 404 if there are none.
func (v *service) run(c *gin.Context, operation Operation, parameters map[string]any, answer func([]*neo4j.Record)) {
	index, known := v.types[c.Param("type")]
	if !known && operation != ListFirst {
		c.JSON(http.StatusNotFound, gin.H{"error": "no such type"})
		return
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
	case len(result.Records) == 0:
		c.JSON(http.StatusNotFound, gin.H{"error": "not found"})
	default:
		answer(result.Records)
	}
}

type serviceNode struct {
	ID         any            `json:"id"`
	Type       string         `json:"type"`
	Labels     []string       `json:"labels"`
	Properties map[string]any `json:"properties"`
}

type serviceEdge struct {
	ID         any            `json:"id"`
	Type       string         `json:"type"`
	SourceID   any            `json:"source_id"`
	TargetID   any            `json:"target_id"`
	Properties map[string]any `json:"properties"`
}

// documentOf is the JSON of the entity in a record's first column.
func documentOf(r *neo4j.Record) any {
	switch e := r.Values[0].(type) {
	case neo4j.Node:
		id := e.Props[idProperty]
		delete(e.Props, idProperty)
		return serviceNode{ID: id, Type: e.Labels[0], Labels: e.Labels, Properties: e.Props}
	case neo4j.Relationship:
		id := e.Props[idProperty]
		delete(e.Props, idProperty)
		document := serviceEdge{ID: id, Type: e.Type, Properties: e.Props}
		if len(r.Values) == 3 {
			document.SourceID, document.TargetID = r.Values[1], r.Values[2]
		}
		return document
	default:
		return nil
	}
}

func (v *service) read(operation Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		v.run(c, operation, map[string]any{"id": c.Param("id")}, func(records []*neo4j.Record) {
			c.JSON(http.StatusOK, gin.H{"data": documentOf(records[0])})
		})
	}
}

func (v *service) list(c *gin.Context) {
	v.run(c, ListFirst, map[string]any{"after": c.Query("after")}, func(records []*neo4j.Record) {
		all := make([]any, len(records))
		for i, r := range records {
			all[i] = documentOf(r)
		}
		c.JSON(http.StatusOK, gin.H{"data": all, "meta": gin.H{"page": gin.H{"limit": pageSize}}})
	})
}

// serviceBody is the body of a create or an update.
type serviceBody struct {
	SourceID   string         `json:"source_id"`
	TargetID   string         `json:"target_id"`
	Properties map[string]any `json:"properties" binding:"required"`
}

// body reads the body, with an id for a new entity.
func (v *service) body(c *gin.Context, isNew bool) (b serviceBody, ok bool) {
	err := c.ShouldBindJSON(&b)
	if err == nil && isNew {
		b.Properties[idProperty], err = graph.NewID(graph.TypeName(c.Param("type")))
	}
	if err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": fmt.Sprint("the body: ", err)})
	}
	return b, err == nil
}

func (v *service) createNode(c *gin.Context) {
	if b, ok := v.body(c, true); ok {
		v.run(c, CreateNode, map[string]any{"properties": b.Properties}, func(records []*neo4j.Record) {
			c.JSON(http.StatusCreated, gin.H{"data": documentOf(records[0])})
		})
	}
}

func (v *service) createEdge(c *gin.Context) {
	if b, ok := v.body(c, true); ok {
		parameters := map[string]any{"source": b.SourceID, "target": b.TargetID, "properties": b.Properties}
		v.run(c, CreateEdge, parameters, func(records []*neo4j.Record) {
			document, _ := documentOf(records[0]).(serviceEdge)
			document.SourceID, document.TargetID = b.SourceID, b.TargetID
			c.JSON(http.StatusCreated, gin.H{"data": document})
		})
	}
}

func (v *service) updateNode(c *gin.Context) {
	if b, ok := v.body(c, false); ok {
		v.run(c, UpdateNode, map[string]any{"id": c.Param("id"), "properties": b.Properties}, func(records []*neo4j.Record) {
			c.JSON(http.StatusOK, gin.H{"data": documentOf(records[0])})
		})
	}
}

func (v *service) deleteNode(c *gin.Context) {
	id := c.Param("id")
	v.run(c, DeleteNode, map[string]any{"id": id}, func(records []*neo4j.Record) {
		if records[0].Values[0] == int64(0) {
			c.JSON(http.StatusNotFound, gin.H{"error": "not found"})
			return
		}
		c.JSON(http.StatusOK, gin.H{"data": gin.H{"id": id, "deleted": true}})
	})
}
