/** Why a transaction is not signed: a code for programs and counters; a sentence with the found and expected values. */
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

/** Thrown only inside this package; `verify` returns it as a value. */
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
