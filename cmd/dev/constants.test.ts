import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withConstants } from "./constants.ts";

const constants = suite("the constants of a bundle");

for (const [what, program, expected] of [
  ["what is never assigned is a constant", "var a=1,[b,{c}]=f();", "const a=1;const [b,{c}]=f();"],
  ["classes too", "var A=class{};export{A};", "const A=class{};export{A};"],
  ["not what is assigned later", "var a=1,b;function f(){a=2;b=3}", "var a=1;var b;function f(){a=2;b=3}"],
  ["not what is counted", "var a=1,b=1;a++;--b;", "var a=1;var b=1;a++;--b;"],
  ["not what a pattern assigns", "var a=1,b=1;({x:a,...b}=f());", "var a=1;var b=1;({x:a,...b}=f());"],
  ["not what a loop assigns", "var a=1,b=1;for(a of f())for(b in a);", "var a=1;var b=1;for(a of f())for(b in a);"],
  ["not what is declared twice", "var a=1;var a=2;", "var a=1;var a=2;"],
  ["not what is in a function", "function f(){var a=1}", "function f(){var a=1}"],
] as const)
  constants(what, () => {
    assert.is(withConstants(program), expected);
  });

constants.run();
