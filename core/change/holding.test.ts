import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../errors.ts";
import { closing, thrownBy } from "./holding.ts";

const test = suite("what a command holds");

async function within(fails: { readonly body?: Error; readonly close?: Error }): Promise<unknown> {
  let closed = 0;
  const close = async () => {
    closed++;
    if (fails.close !== undefined) throw fails.close;
  };
  try {
    await using _opened = closing({ close });
    if (fails.body !== undefined) throw fails.body;
    return closed;
  } catch (error) {
    assert.is(closed, 1);
    return thrownBy(error);
  }
}

test("what was opened is closed at the end of its block, after a failure too", async () => {
  const body = new Refusal("APL801", "refused");
  assert.is(await within({}), 0);
  assert.is(await within({ body }), body);
});

test("a failure in closing is reported as what it is, also after another failure", async () => {
  const close = new Refusal("STA701", "not released");
  assert.is(await within({ close }), close);
  assert.is(await within({ body: new Error("before"), close }), close);
});

test.run();
