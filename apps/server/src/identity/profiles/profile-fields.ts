import { BLOCKCHAINS, type Blockchain } from '../../chains/index.ts'
import { OPERATION_TIMEOUT_SECONDS, validationError } from '../../kernel/index.ts'
import { validateName } from '../shared/validate-text.ts'

/** The fields of a wallet profile that a caller may set. */
export interface ProfileFields {
  readonly name?: string
  /** Chains on which wallets of the profile may be registered and operations planned; at least one. */
  readonly enabledChains?: readonly Blockchain[]
  /** How long an unsigned plan stays valid, 30 to 3600 seconds. */
  readonly operationTimeoutSeconds?: number
}

/** Checks the given fields, trims names and removes duplicate chains. VALIDATION_ERROR at the first wrong one. */
export function validateProfileFields(fields: ProfileFields): ProfileFields {
  const { name, enabledChains, operationTimeoutSeconds } = fields
  return {
    ...(name === undefined ? {} : { name: validateName('name', name) }),
    ...(enabledChains === undefined ? {} : { enabledChains: validateChains(enabledChains) }),
    ...(operationTimeoutSeconds === undefined
      ? {}
      : { operationTimeoutSeconds: validateTimeout(operationTimeoutSeconds) }),
  }
}

function validateChains(chains: readonly Blockchain[]): readonly Blockchain[] {
  const served = BLOCKCHAINS.filter((blockchain) => chains.includes(blockchain))
  const unknown = chains.find((blockchain) => !served.includes(blockchain))
  if (served.length === 0 || unknown !== undefined) {
    throw validationError('enabledChains', `must name at least one of ${BLOCKCHAINS.join(', ')}, and nothing else`)
  }
  return served
}

function validateTimeout(seconds: number): number {
  const { min, max } = OPERATION_TIMEOUT_SECONDS
  if (!Number.isInteger(seconds) || seconds < min || seconds > max) {
    throw validationError('operationTimeoutSeconds', `must be a whole number from ${min} to ${max}`)
  }
  return seconds
}
