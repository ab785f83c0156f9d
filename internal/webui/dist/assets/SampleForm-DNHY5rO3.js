import{t as e}from"./Button-BdjWYJTf.js";import{Gi as t,Ui as n,ji as r}from"./index-Dg-Gz_3r.js";import{o as i}from"./text-Dh_Ib8wn.js";import{t as a}from"./jsx-runtime-LKYXHABd.js";var o=`code,name,city,country,latitude,longitude,elevation_m,opened,hub
AMS,Amsterdam Airport Schiphol,Amsterdam,Netherlands,52.308,4.764,-3,1916-09-16,true
ARN,Stockholm Arlanda Airport,Stockholm,Sweden,59.652,17.919,42,1962-04-01,
ATH,Athens International Airport,Athens,Greece,37.936,23.944,94,2001-03-28,
ATL,Hartsfield-Jackson Atlanta International Airport,Atlanta,United States,33.637,-84.428,313,,true
AKL,Auckland Airport,Auckland,New Zealand,-37.008,174.792,7,,
BCN,Barcelona-El Prat Airport,Barcelona,Spain,41.297,2.078,4,,
BER,Berlin Brandenburg Airport,Berlin,Germany,52.366,13.503,48,2020-10-31,
BGO,Bergen Airport Flesland,Bergen,Norway,60.293,5.218,50,,
BKK,Suvarnabhumi Airport,Bangkok,Thailand,13.690,100.750,2,2006-09-28,true
BLR,Kempegowda International Airport,Bengaluru,India,13.198,77.706,915,2008-05-24,
BNE,Brisbane Airport,Brisbane,Australia,-27.384,153.117,4,,
BOG,El Dorado International Airport,Bogotá,Colombia,4.702,-74.147,2548,,
BOM,Chhatrapati Shivaji Maharaj International Airport,Mumbai,India,19.089,72.868,11,,
BOS,Logan International Airport,Boston,United States,42.364,-71.005,6,,
BRU,Brussels Airport,Brussels,Belgium,50.901,4.484,56,,
BUD,Budapest Ferenc Liszt International Airport,Budapest,Hungary,47.437,19.256,151,,
CAI,Cairo International Airport,Cairo,Egypt,30.122,31.406,116,,
CAN,Guangzhou Baiyun International Airport,Guangzhou,China,23.392,113.299,15,2004-08-05,
CDG,Paris Charles de Gaulle Airport,Paris,France,49.010,2.548,119,1974-03-08,true
CGK,Soekarno-Hatta International Airport,Jakarta,Indonesia,-6.126,106.656,10,,
CMN,Mohammed V International Airport,Casablanca,Morocco,33.368,-7.590,200,,
CPH,Copenhagen Airport,Copenhagen,Denmark,55.618,12.656,5,1925-04-20,
CPT,Cape Town International Airport,Cape Town,South Africa,-33.965,18.602,46,,
DEL,Indira Gandhi International Airport,Delhi,India,28.566,77.103,237,,true
DEN,Denver International Airport,Denver,United States,39.862,-104.673,1656,1995-02-28,
DFW,Dallas Fort Worth International Airport,Dallas,United States,32.897,-97.038,185,1974-01-13,
DOH,Hamad International Airport,Doha,Qatar,25.273,51.608,4,2014-04-30,
DUB,Dublin Airport,Dublin,Ireland,53.421,-6.270,74,1940-01-19,
DUS,Düsseldorf Airport,Düsseldorf,Germany,51.289,6.767,45,,
DXB,Dubai International Airport,Dubai,United Arab Emirates,25.253,55.364,19,1960-09-30,true
EDI,Edinburgh Airport,Edinburgh,United Kingdom,55.950,-3.373,41,,
EZE,Ministro Pistarini International Airport,Buenos Aires,Argentina,-34.822,-58.536,20,,
FCO,Rome Fiumicino Airport,Rome,Italy,41.800,12.239,5,,
FRA,Frankfurt Airport,Frankfurt am Main,Germany,50.033,8.571,111,1936-07-08,true
GIG,Rio de Janeiro-Galeão International Airport,Rio de Janeiro,Brazil,-22.810,-43.251,9,,
GOT,Göteborg Landvetter Airport,Gothenburg,Sweden,57.663,12.280,154,1977-10-03,
GRU,São Paulo/Guarulhos International Airport,São Paulo,Brazil,-23.432,-46.470,750,1985-01-20,true
GVA,Geneva Airport,Geneva,Switzerland,46.238,6.109,430,,
HAM,Hamburg Airport,Hamburg,Germany,53.630,9.988,16,1911-01-10,
HAN,Noi Bai International Airport,Hanoi,Vietnam,21.221,105.807,12,,
HEL,Helsinki Airport,Helsinki,Finland,60.317,24.963,55,1952-07-10,
HKG,Hong Kong International Airport,Hong Kong,China,22.309,113.915,9,1998-07-06,true
HND,Tokyo Haneda Airport,Tokyo,Japan,35.552,139.780,6,1931-08-25,true
HNL,Daniel K. Inouye International Airport,Honolulu,United States,21.319,-157.922,4,,
IAD,Washington Dulles International Airport,Washington,United States,38.945,-77.456,95,1962-11-17,
IAH,George Bush Intercontinental Airport,Houston,United States,29.984,-95.341,30,1969-06-08,
ICN,Incheon International Airport,Seoul,South Korea,37.463,126.440,7,2001-03-29,true
IST,Istanbul Airport,Istanbul,Turkey,41.262,28.728,99,2018-10-29,true
JFK,John F. Kennedy International Airport,New York,United States,40.640,-73.779,4,1948-07-01,true
JNB,O. R. Tambo International Airport,Johannesburg,South Africa,-26.139,28.246,1694,,true
KEF,Keflavík International Airport,Reykjavík,Iceland,63.985,-22.606,52,,
KIX,Kansai International Airport,Osaka,Japan,34.427,135.244,5,1994-09-04,
KUL,Kuala Lumpur International Airport,Kuala Lumpur,Malaysia,2.746,101.710,21,1998-06-27,
LAX,Los Angeles International Airport,Los Angeles,United States,33.943,-118.408,38,,true
LGW,London Gatwick Airport,London,United Kingdom,51.148,-0.190,62,,
LHR,London Heathrow Airport,London,United Kingdom,51.471,-0.462,25,1946-03-25,true
LIM,Jorge Chávez International Airport,Lima,Peru,-12.022,-77.114,34,,
LIS,Lisbon Airport,Lisbon,Portugal,38.781,-9.136,114,1942-10-15,
LOS,Murtala Muhammed International Airport,Lagos,Nigeria,6.577,3.321,41,,
MAD,Madrid-Barajas Airport,Madrid,Spain,40.472,-3.561,610,,
MAN,Manchester Airport,Manchester,United Kingdom,53.354,-2.275,78,1938-06-25,
MEL,Melbourne Airport,Melbourne,Australia,-37.673,144.843,132,1970-07-01,
MEX,Mexico City International Airport,Mexico City,Mexico,19.436,-99.072,2230,,
MIA,Miami International Airport,Miami,United States,25.793,-80.291,3,,
MNL,Ninoy Aquino International Airport,Manila,Philippines,14.509,121.020,23,,
MSP,Minneapolis-Saint Paul International Airport,Minneapolis,United States,44.882,-93.222,256,,
MUC,Munich Airport,Munich,Germany,48.354,11.786,453,1992-05-17,
MXP,Milan Malpensa Airport,Milan,Italy,45.631,8.728,234,,
NBO,Jomo Kenyatta International Airport,Nairobi,Kenya,-1.319,36.928,1624,,
NCE,Nice Côte d'Azur Airport,Nice,France,43.665,7.215,4,,
NGO,Chubu Centrair International Airport,Nagoya,Japan,34.858,136.805,5,2005-02-17,
NRT,Narita International Airport,Tokyo,Japan,35.765,140.386,41,1978-05-20,
OPO,Porto Airport,Porto,Portugal,41.248,-8.681,69,,
ORD,O'Hare International Airport,Chicago,United States,41.979,-87.905,204,,true
ORY,Paris Orly Airport,Paris,France,48.725,2.359,89,,
OSL,Oslo Airport Gardermoen,Oslo,Norway,60.194,11.100,208,1998-10-08,
OTP,Bucharest Henri Coandă International Airport,Bucharest,Romania,44.572,26.102,96,,
PEK,Beijing Capital International Airport,Beijing,China,40.080,116.585,35,1958-03-02,
PER,Perth Airport,Perth,Australia,-31.940,115.967,20,,
PHX,Phoenix Sky Harbor International Airport,Phoenix,United States,33.434,-112.012,346,,
PKX,Beijing Daxing International Airport,Beijing,China,39.509,116.411,30,2019-09-25,
PMI,Palma de Mallorca Airport,Palma,Spain,39.552,2.739,8,,
PRG,Václav Havel Airport Prague,Prague,Czechia,50.101,14.260,380,1937-04-05,
PVG,Shanghai Pudong International Airport,Shanghai,China,31.143,121.805,4,1999-10-01,
RIX,Riga Airport,Riga,Latvia,56.924,23.971,11,,
SCL,Arturo Merino Benítez International Airport,Santiago,Chile,-33.393,-70.786,474,1967-02-09,
SEA,Seattle-Tacoma International Airport,Seattle,United States,47.449,-122.309,132,,
SFO,San Francisco International Airport,San Francisco,United States,37.619,-122.375,4,,true
SGN,Tan Son Nhat International Airport,Ho Chi Minh City,Vietnam,10.819,106.652,10,,
SIN,Singapore Changi Airport,Singapore,Singapore,1.364,103.991,7,1981-07-01,true
STR,Stuttgart Airport,Stuttgart,Germany,48.690,9.222,389,,
SYD,Sydney Kingsford Smith Airport,Sydney,Australia,-33.946,151.177,6,,true
TLL,Tallinn Airport,Tallinn,Estonia,59.413,24.833,40,1936-09-20,
TLV,Ben Gurion Airport,Tel Aviv,Israel,32.011,34.887,41,,
TPE,Taiwan Taoyuan International Airport,Taipei,Taiwan,25.078,121.233,33,1979-02-26,
VCE,Venice Marco Polo Airport,Venice,Italy,45.505,12.352,2,,
VIE,Vienna International Airport,Vienna,Austria,48.110,16.570,183,,
VNO,Vilnius Airport,Vilnius,Lithuania,54.634,25.286,197,,
WAW,Warsaw Chopin Airport,Warsaw,Poland,52.166,20.967,110,1934-04-29,
WLG,Wellington Airport,Wellington,New Zealand,-41.327,174.805,13,,
YUL,Montréal-Trudeau International Airport,Montreal,Canada,45.471,-73.741,36,1941-09-01,
YVR,Vancouver International Airport,Vancouver,Canada,49.194,-123.184,4,1931-07-22,
YYZ,Toronto Pearson International Airport,Toronto,Canada,43.677,-79.631,173,,true
ZAG,Zagreb Airport,Zagreb,Croatia,45.743,16.069,108,,
ZRH,Zurich Airport,Zurich,Switzerland,47.465,8.549,432,,
`,s=1e3,c=6371.0088;function l(e,t){let n=Math.PI/180,[r,i]=[(t.latitude-e.latitude)*n,(t.longitude-e.longitude)*n],a=Math.sin(r/2)**2+Math.cos(e.latitude*n)*Math.cos(t.latitude*n)*Math.sin(i/2)**2;return 2*c*Math.asin(Math.sqrt(a))}function u(){let e=[],t={},n=new Set,r=(n,r)=>{t[n]=(t[n]??0)+1,e.push(JSON.stringify({...r,type:n}))},i=(e,t,i)=>{let a=`${e} ${t}`;return n.has(a)||r(e,{kind:`node`,ref:a,properties:i}),n.add(a),a},a=(e,t,n,i={})=>r(e,{kind:`edge`,source_ref:t,target_ref:n,properties:i}),c=o.trim().split(`
`).slice(1).map(e=>{let[t=``,r,o=``,s=``,c,l,u,d,f]=e.split(`,`),p={code:t,latitude:Number(c),longitude:Number(l),hub:f===`true`},m=i(`Country`,s,{name:s}),h=!n.has(`City ${o}`),g=i(`City`,o,{name:o});h&&a(`IN_COUNTRY`,g,m);let _=i(`Airport`,t,{code:t,name:r,elevation_m:Number(u),hub:p.hub,position:{$type:`Point`,_value:`SRID=4326;POINT (${l} ${c})`},...d&&{opened:{$type:`Date`,_value:d}}});return a(`SERVES`,_,g),p});for(let[e,t]of c.entries())for(let n of c.slice(e+1)){let e=l(t,n);(e<=s||t.hub&&n.hub)&&a(`ROUTE`,`Airport ${t.code}`,`Airport ${n.code}`,{distance_km:Math.round(e)})}return{lines:e,counts:t}}var d=a(),{lines:f,counts:p}=u();function m({problem:a,onStart:o,onClose:s}){let c=e=>e.map(e=>`${i(p[e])} ${e}`).join(`, `);return(0,d.jsxs)(r,{gap:`md`,children:[(0,d.jsx)(n,{size:`sm`,children:`Airports of the world with their cities and countries, and the distances between them. It makes`}),(0,d.jsxs)(`ul`,{style:{margin:0,paddingLeft:`1.25rem`,fontSize:`var(--mantine-font-size-sm)`},children:[(0,d.jsxs)(`li`,{children:[`nodes: `,c([`Airport`,`City`,`Country`])]}),(0,d.jsxs)(`li`,{children:[`edges: `,c([`SERVES`,`IN_COUNTRY`,`ROUTE`])]})]}),(0,d.jsx)(n,{size:`xs`,c:`dimmed`,children:`It is an import like any other: if the service records changes, Undo the import, here or on the page Changes, removes all of it.`}),a&&(0,d.jsx)(n,{size:`sm`,c:`red`,role:`alert`,children:a.text}),(0,d.jsxs)(t,{justify:`flex-end`,children:[(0,d.jsx)(e,{variant:`default`,onClick:s,children:`Cancel`}),(0,d.jsx)(e,{onClick:()=>o(new File([f.join(`
`)],`sample.ndjson`)),"data-autofocus":!0,children:`Load the sample`})]})]})}export{m as default};