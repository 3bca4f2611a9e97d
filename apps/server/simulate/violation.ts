/** Something that must never be. Names the rule, with what was found. */
export class Violation extends Error {
  override readonly name = 'Violation'
}
