import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { Ledger } from './ledger.ts'
import { readWire } from './wire.ts'

export type Step = { readonly instructions: readonly Instruction[]; readonly signers?: readonly KeyPairSigner[] }

/** Puts a transaction of the treasury into a block of its own. Throws, with what is in the block, when it failed. */
export async function include(
  ledger: Ledger,
  treasury: KeyPairSigner,
  { instructions, signers = [] }: Step,
): Promise<void> {
  const lifetime = {
    blockhash: ledger.head().hash as Blockhash,
    lastValidBlockHeight: BigInt(ledger.head().height + 150),
  }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(treasury.address, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  )
  const keys = [treasury, ...signers].map(({ keyPair }) => keyPair)
  const signed = await partiallySignTransaction(keys, compileTransaction(message))
  const wire = readWire(Uint8Array.from(getTransactionEncoder().encode(signed)))
  ledger.submit(wire)
  ledger.produce()
  const landed = ledger.store.transaction(wire.signature)
  if (landed?.err !== null) throw new Error(`A transaction of the treasury failed: ${landed?.meta ?? 'it vanished'}`)
}
