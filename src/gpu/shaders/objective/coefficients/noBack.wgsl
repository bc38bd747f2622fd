// The way back is none of a look without a step, or one of other dispatches.
fn giveBack(at : Place) {}
