import { CHAIN_FAULTS, type ChainFault } from '../chains/index.ts'
import { CHAIN_FAULT_COUNT_MAX, validationError } from '../kernel/index.ts'
import { requireSandboxChain, type SandboxParts } from './parts.ts'

export interface ChainFaultInput {
  readonly blockchain: string
  readonly fault: ChainFault
  /** How many times the fault occurs, 0 to 1,000. Replaces the remaining count; 0 disables the fault. */
  readonly count: number
}

/** Makes an embedded chain fail on purpose (contract 13). Errors: VALIDATION_ERROR, CHAIN_UNAVAILABLE. */
export async function setChainFault(
  parts: Pick<SandboxParts, 'sandbox' | 'log'>,
  input: ChainFaultInput,
): Promise<void> {
  const { blockchain, fault, count } = input
  const { dev } = requireSandboxChain(parts, blockchain)
  if (!CHAIN_FAULTS.includes(fault)) throw validationError('fault', `must be one of: ${CHAIN_FAULTS.join(', ')}`)
  if (!Number.isInteger(count) || count < 0 || count > CHAIN_FAULT_COUNT_MAX) {
    throw validationError('count', `must be a whole number from 0 to ${CHAIN_FAULT_COUNT_MAX}`)
  }
  await dev.setFault(fault, count)
  parts.log.info({ blockchain, fault, count }, 'set a chain fault')
}
