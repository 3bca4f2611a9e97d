/** A broken invariant. Names the rule and the finding. */
export class Violation extends Error {
  override readonly name = 'Violation'
}
