<<<<<<<< HEAD:internal/webui/dist/assets/x-swCRiPoY.js
import{t as e}from"./createLucideIcon-BNS2XTTD.js";var t={name:`x`,size:24,node:[[`path`,{d:`M18 6 6 18`,key:`1bl5f8`}],[`path`,{d:`m6 6 12 12`,key:`d8bk6v`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./createLucideIcon-9vR1zACd.js";var t={name:`x`,size:24,node:[[`path`,{d:`M18 6 6 18`,key:`1bl5f8`}],[`path`,{d:`m6 6 12 12`,key:`d8bk6v`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 266a1e1 (webui: charts of lists, redo, full screen and all rows of a canvas):internal/webui/dist/assets/x-DtunjaqS.js
