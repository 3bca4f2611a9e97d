import { address, createNoopSigner, type Instruction, lamports } from '@solana/kit'
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import type { SvmInstruction } from '../../port/calls.ts'
import { associatedTokenAddress } from '../addresses/associated-token-address.ts'
import { createAssociatedTokenIdempotent, memo, mintTo, setComputeBudget, transferNative } from './instructions.ts'

const OWNER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const OTHER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** An instruction of the programs' own client libraries, in our format. */
function toSvmInstruction({ programAddress, accounts = [], data }: Instruction): SvmInstruction {
  return {
    program: programAddress,
    accounts: accounts.map((account) => ({
      address: account.address,
      signer: account.role >= 2,
      writable: account.role % 2 === 1,
    })),
    data: Buffer.from(data ?? []).toString('base64'),
  }
}

test('instructions match those of the programs’ own client libraries byte for byte', async () => {
  const signer = createNoopSigner(address(OWNER))
  const account = await associatedTokenAddress(OWNER, MINT)
  const theirs = {
    limit: getSetComputeUnitLimitInstruction({ units: 123_456 }),
    price: getSetComputeUnitPriceInstruction({ microLamports: 789n }),
    memo: getAddMemoInstruction({ memo: 'weir:42' }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
    transfer: getTransferSolInstruction({ source: signer, destination: address(OTHER), amount: lamports(5_000n) }),
    open: getCreateAssociatedTokenIdempotentInstruction({
      payer: signer,
      owner: address(OTHER),
      mint: address(MINT),
      ata: address(account),
    }),
    mint: getMintToInstruction({
      mint: address(MINT),
      token: address(account),
      mintAuthority: signer,
      amount: 2n ** 63n + 7n,
    }),
  }
  expect(setComputeBudget(123_456n, 789n)).toEqual([toSvmInstruction(theirs.limit), toSvmInstruction(theirs.price)])
  expect(setComputeBudget(123_456n, 0n)).toEqual([toSvmInstruction(theirs.limit)])
  expect(memo('weir:42')).toEqual(toSvmInstruction(theirs.memo))
  expect(transferNative(OWNER, OTHER, 5_000n)).toEqual(toSvmInstruction(theirs.transfer))
  expect(createAssociatedTokenIdempotent(OWNER, OTHER, MINT, account)).toEqual(toSvmInstruction(theirs.open))
  expect(mintTo(MINT, account, OWNER, 2n ** 63n + 7n)).toEqual(toSvmInstruction(theirs.mint))
})

test('an owner’s account for a token is the associated one', async () => {
  const [account] = await findAssociatedTokenPda({
    owner: address(OWNER),
    mint: address(MINT),
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  expect(await associatedTokenAddress(OWNER, MINT)).toBe(account)
})
