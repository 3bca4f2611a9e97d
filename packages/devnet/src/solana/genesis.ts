import type { Instruction, KeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { signerOf } from './accounts.ts'
import type { SolanaToken } from './deployment.ts'
import { FIRST_DEPOSIT, type SolanaPlan, TREASURY_LAMPORTS, YIELD_BUDGET } from './design.ts'
import { include, type Step } from './include.ts'
import type { Ledger } from './ledger.ts'
import { depositInstruction, fundYieldInstruction, initializeInstruction } from './vault-program.ts'
import { nativeAccount } from './vm.ts'

/** Sets up a new chain according to the plan, with ordinary transactions of the treasury in their own blocks. */
export async function writeGenesis(ledger: Ledger, plan: SolanaPlan): Promise<void> {
  const treasury = await signerOf('treasury')
  ledger.vm.put(nativeAccount(treasury.address, TREASURY_LAMPORTS))
  for (const { token, at, terms } of plan.vaults) {
    await include(ledger, treasury, await mintInstructions(ledger, treasury, token))
    const [tokens] = await findAssociatedTokenPda({
      owner: treasury.address,
      mint: token.address,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    })
    const [shares] = await findAssociatedTokenPda({
      owner: treasury.address,
      mint: at.shareMint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    })
    const user = { owner: treasury.address, tokens, shares }
    await include(ledger, treasury, {
      instructions: [
        initializeInstruction(at, treasury.address, terms),
        account(treasury, token.address, tokens),
        account(treasury, at.shareMint, shares),
      ],
    })
    await include(ledger, treasury, {
      instructions: [
        getMintToInstruction({
          mint: token.address,
          token: tokens,
          mintAuthority: treasury,
          amount: FIRST_DEPOSIT + YIELD_BUDGET,
        }),
        fundYieldInstruction(at, user, YIELD_BUDGET),
        depositInstruction(at, user, FIRST_DEPOSIT),
      ],
    })
  }
}

async function mintInstructions(
  ledger: Ledger,
  treasury: KeyPairSigner,
  { symbol, decimals }: SolanaToken,
): Promise<Step> {
  const mint = await signerOf(symbol === 'USDT' ? 'USDT mint' : 'USDC mint')
  const space = getMintSize()
  const instructions = [
    getCreateAccountInstruction({
      payer: treasury,
      newAccount: mint,
      lamports: ledger.vm.rentExemption(space),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals,
      mintAuthority: treasury.address,
      freezeAuthority: null,
    }),
  ]
  return { instructions, signers: [mint] }
}

function account(payer: KeyPairSigner, mint: SolanaToken['address'], ata: SolanaToken['address']): Instruction {
  return getCreateAssociatedTokenIdempotentInstruction({ payer, owner: payer.address, mint, ata })
}
