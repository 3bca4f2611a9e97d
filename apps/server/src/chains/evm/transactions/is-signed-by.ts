import { recoverMessageAddress } from 'viem'

/** Whether the key of an address signed a text as a personal message (EIP-191). `signature`: 65 bytes, hex with 0x. */
export async function isSignedBy(message: string, signature: string, address: string): Promise<boolean> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const signer = await recoverMessageAddress({ message, signature: signature as `0x${string}` }).catch(() => undefined)
  return signer === address
}
