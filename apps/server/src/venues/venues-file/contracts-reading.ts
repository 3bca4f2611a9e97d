import type { VenuesFileProblem } from './venues-file-error.ts'

/** What an entry's contracts are, as its chain says. */
export interface ListedContracts {
  /** By role, as in `Strategy.params`. */
  readonly contracts: Readonly<Record<string, string>>
  /** The token that they take, in canonical spelling, and its own decimals. */
  readonly tokenAddress: string
  readonly decimals: number | undefined
  /** What else the agent's allow-list names. */
  readonly forAgent?: Readonly<Record<string, string>>
}

export type ContractsReading = ListedContracts | { readonly problem: Omit<VenuesFileProblem, 'index'> }

export function refused(
  code: VenuesFileProblem['code'],
  message: string,
): { problem: Omit<VenuesFileProblem, 'index'> } {
  return { problem: { code, message } }
}
