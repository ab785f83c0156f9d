<<<<<<<< HEAD:internal/webui/dist/assets/CauseText-9z9HQBxb.js
import{n as e}from"./chunk-6KYCQHYJ--A_5EmXj.js";import{I as t}from"./index-CXnxwopW.js";import{t as n}from"./jsx-runtime-1EERc18j.js";var r=n();function i({change:n,text:i=t(n)}){let a=n.cause?.changeset;return a?(0,r.jsx)(e,{className:`linkbutton`,style:{textDecoration:`underline`},to:`/change-sets/${encodeURIComponent(a)}`,children:i}):(0,r.jsx)(r.Fragment,{children:i})}export{i as t};
========
import{n as e}from"./chunk-6KYCQHYJ--A_5EmXj.js";import{I as t}from"./index-CAgRCAwV.js";import{t as n}from"./jsx-runtime-1EERc18j.js";var r=n();function i({change:n,text:i=t(n)}){let a=n.cause?.changeset;return a?(0,r.jsx)(e,{className:`linkbutton`,style:{textDecoration:`underline`},to:`/change-sets/${encodeURIComponent(a)}`,children:i}):(0,r.jsx)(r.Fragment,{children:i})}export{i as t};
>>>>>>>> fca65702 (webui: icons of types, chosen in the legend):internal/webui/dist/assets/CauseText-hrb6z5ox.js
