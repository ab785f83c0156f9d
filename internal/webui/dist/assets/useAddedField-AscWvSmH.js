<<<<<<<< HEAD:internal/webui/dist/assets/useAddedField-XZrEgsB2.js
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{t}from"./react-DlmbjZJV.js";import{fr as n}from"./index-CXnxwopW.js";var r=e(t(),1);function i(e,t){let[i,a]=(0,r.useState)(-1);function o(){let r=n();a(r.key),t([...e,r])}return{isAdded:e=>e.key===i,add:o}}export{i as t};
========
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{t}from"./react-DlmbjZJV.js";import{fr as n}from"./index-CAgRCAwV.js";var r=e(t(),1);function i(e,t){let[i,a]=(0,r.useState)(-1);function o(){let r=n();a(r.key),t([...e,r])}return{isAdded:e=>e.key===i,add:o}}export{i as t};
>>>>>>>> fca65702 (webui: icons of types, chosen in the legend):internal/webui/dist/assets/useAddedField-AscWvSmH.js
