import { declareColumns, holdColumns, nextSlice, openColumns, readColumn } from "./scalarLoop.js";

/**
 * Text of a prelude function that keeps the states of all groups. `begin` takes a batch and creates the states of new
 * groups, `step` updates states with rows.
 */
export function aggregateLoop(shape: string): string {
  const values = [...shape].map(readColumn);
  return `($p,$s)=>{"use strict";${declareColumns(shape)}let $g,$w,$at,$all;return{
begin($b,$n,$groups,$weights,$count){${openColumns(shape)}$g=new $p.U32($groups);
$w=$weights===undefined?undefined:new $p.U32($weights);while($s.length<$count)$s[$s.length]=$f.init();$at=0;$all=$n},
step(){${nextSlice}${holdColumns(shape)}var $t,$r,$k;do{$k=$g[$i];$r=$f.update($s[$k],${[...values, "$w===undefined?1:$w[$i]"].join(",")});
if($r!==undefined)$s[$k]=$r;$i++}while($i<$e)}}}`;
}

/** Text of prelude functions that finish aggregates, and try functions row by row. */
export const finishSource = `($p)=>{"use strict";
const merge=(states)=>{let all=$p.readState(states[0]);
for(let i=1;i<states.length;i++){const next=$p.readState(states[i]);const merged=$f.merge(all,next);if(merged!==undefined)all=merged}
return all};
const failed=(error)=>({error:$p.describe(error)});
const each=(rows,call)=>{const results=[];for(let i=0;i<rows.length;i++){
try{results[i]={value:$p.finished(call(rows[i]))}}catch(error){results[i]=failed(error)}}return $p.stringify(results)};
const aggregate=(rows)=>{let state=$f.init();for(let i=0;i<rows.length;i++){const next=$f.update(state,...rows[i],1);if(next!==undefined)state=next}
return $f.finalize(merge([$p.printState(state),$p.printState($f.init())]))};
return{
states:(states,from,to)=>{const printed=[];for(let i=from;i<to;i++)printed[i-from]=$p.printState(states[i]);return $p.stringify(printed)},
finalize:(json)=>{const groups=$p.parse(json);const values=[];
for(let i=0;i<groups.length;i++)values[i]=$p.finishedGroup($f.finalize(merge(groups[i].length===0?[$p.printState($f.init())]:groups[i])));
return $p.stringify(values)},
row:(json)=>each($p.parse(json),(row)=>$f(row)),
values:(json)=>each($p.parse(json),(row)=>{for(let i=0;i<row.length;i++)if(row[i]===null)row[i]=undefined;return $f(...row)}),
aggregate:(json)=>each([0],()=>aggregate($p.parse(json)))}}`;
