<<<<<<<< HEAD:internal/webui/dist/assets/play-Co8n2G6n.js
import{t as e}from"./createLucideIcon-BNS2XTTD.js";var t={name:`play`,size:24,node:[[`path`,{d:`M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z`,key:`10ikf1`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./createLucideIcon-9vR1zACd.js";var t={name:`play`,size:24,node:[[`path`,{d:`M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z`,key:`10ikf1`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 266a1e1 (webui: charts of lists, redo, full screen and all rows of a canvas):internal/webui/dist/assets/play-BJIg71CY.js
