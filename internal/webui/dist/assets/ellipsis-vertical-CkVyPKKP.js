<<<<<<<< HEAD:internal/webui/dist/assets/ellipsis-vertical-BLuVOtoT.js
import{t as e}from"./createLucideIcon-BNS2XTTD.js";var t={name:`ellipsis-vertical`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`1`,key:`41hilf`}],[`circle`,{cx:`12`,cy:`5`,r:`1`,key:`gxeob9`}],[`circle`,{cx:`12`,cy:`19`,r:`1`,key:`lyex9k`}]],aliases:[`more-vertical`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./createLucideIcon-9vR1zACd.js";var t={name:`ellipsis-vertical`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`1`,key:`41hilf`}],[`circle`,{cx:`12`,cy:`5`,r:`1`,key:`gxeob9`}],[`circle`,{cx:`12`,cy:`19`,r:`1`,key:`lyex9k`}]],aliases:[`more-vertical`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 266a1e1 (webui: charts of lists, redo, full screen and all rows of a canvas):internal/webui/dist/assets/ellipsis-vertical-CkVyPKKP.js
