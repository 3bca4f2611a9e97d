/** Why a transaction is not signed. A code for machines and counters; the sentence says what was found and what was expected. */
export type RefusalCode =
  | 'UNKNOWN_CHAIN'
  | 'MALFORMED'
  | 'WRONG_CHAIN'
  | 'WRONG_SIGNER'
  | 'UNKNOWN_TOKEN'
  | 'UNKNOWN_VENUE'
  | 'UNKNOWN_METHOD'
  | 'WRONG_STEP'
  | 'WRONG_AMOUNT'
  | 'WRONG_BENEFICIARY'
  | 'OVER_LIMIT'
  | 'NATIVE_VALUE'
  | 'FEE_TOO_HIGH'
  | 'WRONG_MEMO'
  | 'SOMETHING_ELSE'

/** Thrown inside this package only; `verify` turns it into a value. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Throws a {@link Refusal} unless `holds`. */
export function refuseUnless(holds: boolean, code: RefusalCode, reason: string): asserts holds {
  if (!holds) throw new Refusal(code, reason)
}
