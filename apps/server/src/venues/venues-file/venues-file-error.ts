/**
 * What is wrong with an entry of a venue file. All refuse a start but `ALREADY_LISTED`, which leaves the entry out,
 * `CHAIN_UNAVAILABLE`, which lets it wait, and the warnings `LIMITS_UNREPORTED` and `KEEPS_FEES`.
 */
export type VenuesFileCode =
  | 'INVALID_FILE'
  | 'INVALID_ENTRY'
  | 'DUPLICATE_ENTRY'
  | 'KIND_CHANGED'
  | 'NO_CONTRACT'
  | 'WRONG_KIND'
  | 'UNKNOWN_TOKEN'
  | 'UNREADABLE'
  | 'ALREADY_LISTED'
  | 'LIMITS_UNREPORTED'
  | 'KEEPS_FEES'
  | 'CHAIN_UNAVAILABLE'

export interface VenuesFileProblem {
  readonly code: VenuesFileCode
  /** Position in `venues`, from 0; `undefined`: the file as a whole. */
  readonly index: number | undefined
  /** What is wrong, and what to do. */
  readonly message: string
}

/** `venues[1] NO_CONTRACT: ...`. */
export function problemLine({ code, index, message }: VenuesFileProblem): string {
  return `${index === undefined ? '' : `venues[${index}] `}${code}: ${message}`
}

/** Every problem that refuses a start, so that an operator can correct them at once. */
export class VenuesFileError extends Error {
  override readonly name = 'VenuesFileError'
  readonly problems: readonly VenuesFileProblem[]

  constructor(problems: readonly VenuesFileProblem[]) {
    super(problems.map(problemLine).join('\n'))
    this.problems = problems
  }
}
