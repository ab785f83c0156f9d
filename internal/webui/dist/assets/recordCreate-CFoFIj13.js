<<<<<<<< HEAD:internal/webui/dist/assets/recordCreate-CFoFIj13.js
import{r as e}from"./graph-BQLzNzgC.js";import{Ot as t,_r as n,kt as r}from"./index-CXnxwopW.js";function i(i,a,o,s){let{kind:c,entity:l,etag:u}=a;t(i,a),n({label:s,kind:c,needs:`delete`,requestId:o,undoUnrecorded:async()=>{await e(c,l.id,u),r(i,c,l.id)}})}export{i as t};
========
import{r as e}from"./graph-BQLzNzgC.js";import{Ot as t,_r as n,kt as r}from"./index-CAgRCAwV.js";function i(i,a,o,s){let{kind:c,entity:l,etag:u}=a;t(i,a),n({label:s,kind:c,needs:`delete`,requestId:o,undoUnrecorded:async()=>{await e(c,l.id,u),r(i,c,l.id)}})}export{i as t};
>>>>>>>> fca65702 (webui: icons of types, chosen in the legend):internal/webui/dist/assets/recordCreate-CcpnflM9.js
