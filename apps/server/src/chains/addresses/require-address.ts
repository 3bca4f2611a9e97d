import { Failure } from '../../kernel/index.ts'
import type { Blockchain } from '../port/networks.ts'
import { normalizeAddress } from './normalize-address.ts'

const EVM_FORM = '0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case'
const SOLANA_FORM = 'base58 of 32 bytes'

/** The end of a sentence about the expected form of an address. */
export const ADDRESS_FORM = `${EVM_FORM}, on EVM chains; ${SOLANA_FORM} on Solana.`

/** An address in its chain's canonical spelling. Error: INVALID_ADDRESS, with the form that the chain expects. */
export function requireAddress(blockchain: Blockchain, text: string, what = 'The wallet address'): string {
  const address = normalizeAddress(blockchain, text)
  if (address !== undefined) return address
  throw new Failure('INVALID_ADDRESS', { message: `${what} is not ${addressForm(blockchain)}.` })
}

/** What an address of a chain is, after "is not". */
export function addressForm(blockchain: Blockchain): string {
  return blockchain === 'solana' ? `a Solana address: ${SOLANA_FORM}` : `an EVM address: ${EVM_FORM}`
}
