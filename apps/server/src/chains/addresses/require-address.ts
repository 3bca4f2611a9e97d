import { Failure } from '../../kernel/index.ts'
import type { Blockchain } from '../port/networks.ts'
import { normalizeAddress } from './normalize-address.ts'

const EVM_FORM = '0x and 40 hexadecimal digits, with a right checksum (EIP-55) where its case is mixed'
const SOLANA_FORM = 'base58 of 32 bytes'

/** The rest of a sentence about an address: what form it has to have. */
export const ADDRESS_FORM = `${EVM_FORM}, on EVM chains; ${SOLANA_FORM} on Solana.`

/** An address in that chain's canonical spelling. Error: INVALID_ADDRESS, which says what form that chain's have. */
export function requireAddress(blockchain: Blockchain, text: string, what = 'The wallet address'): string {
  const address = normalizeAddress(blockchain, text)
  if (address !== undefined) return address
  const reason = blockchain === 'solana' ? `a Solana address: ${SOLANA_FORM}` : `an EVM address: ${EVM_FORM}`
  throw new Failure('INVALID_ADDRESS', { message: `${what} is not ${reason}.` })
}
