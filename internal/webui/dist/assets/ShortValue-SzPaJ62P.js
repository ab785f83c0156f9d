<<<<<<<< HEAD:internal/webui/dist/assets/ShortValue-SzPaJ62P.js
import{r as e,u as t}from"./text-TToApaDm.js";import{t as n}from"./jsx-runtime-1EERc18j.js";var r=n();function i({value:n}){if(n===void 0)return(0,r.jsx)(`span`,{className:`absent`,children:`not set`});let i=e(t(n));return(0,r.jsx)(r.Fragment,{children:i===``?(0,r.jsx)(`span`,{className:`absent`,children:`empty text`}):i.length>60?`${i.slice(0,57)}…`:i})}export{i as t};
========
import{r as e,u as t}from"./text-CGbqc5Rn.js";import{t as n}from"./jsx-runtime-Dn_flPSr.js";var r=n();function i({value:n}){if(n===void 0)return(0,r.jsx)(`span`,{className:`absent`,children:`not set`});let i=e(t(n));return(0,r.jsx)(r.Fragment,{children:i===``?(0,r.jsx)(`span`,{className:`absent`,children:`empty text`}):i.length>60?`${i.slice(0,57)}…`:i})}export{i as t};
>>>>>>>> 266a1e1 (webui: charts of lists, redo, full screen and all rows of a canvas):internal/webui/dist/assets/ShortValue-BPmnlokb.js
