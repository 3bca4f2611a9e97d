// Compares what the tests assume about Jupiter Lend (apps/server/src/venues/jupiter-lend/vendor-instructions.json) with
// the vendor's SDK, installed into a temporary folder: the SDK is large and the service does not need it.
//
//   node scripts/venues/compare-jupiter-lend.mjs            exit code 1 when the SDK and the file differ
//   node scripts/venues/compare-jupiter-lend.mjs --record   writes the file
//
// Needs the package registry but no chain: the SDK derives every address, and encodes accounts that this script makes up.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

const SDK = '0.0.107'
const file = fileURLToPath(
  new URL('../../apps/server/src/venues/jupiter-lend/vendor-instructions.json', import.meta.url),
)

const folder = mkdtempSync(join(tmpdir(), 'compare-jupiter-lend-'))
try {
  const found = await whatTheVendorSays(await install())
  if (process.argv.includes('--record')) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    console.log(`Recorded what @jup-ag/lend ${SDK} says.`)
  } else if (isDeepStrictEqual(found, JSON.parse(readFileSync(file, 'utf8')))) {
    console.log(`@jup-ag/lend ${SDK} says what the file says.`)
  } else {
    console.error(
      `@jup-ag/lend ${SDK} says something else than ${file}. Record it with --record and look at the difference.`,
    )
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function install() {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { '@jup-ag/lend': SDK } }))
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('the SDK could not be installed')
  const load = createRequire(join(folder, 'package.json'))
  const earn = await import(pathToFileURL(join(folder, 'node_modules/@jup-ag/lend/dist/earn/index.mjs')).href)
  return { earn, web3: load('@solana/web3.js'), BN: load('bn.js') }
}

async function whatTheVendorSays({ earn, web3, BN }) {
  const { Keypair, PublicKey } = web3
  const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const connection = { getAccountInfo: async () => ({ owner: TOKEN_PROGRAM }) }
  const owners = [1, 2].map((byte) => Keypair.fromSeed(Buffer.alloc(32, byte)).publicKey)
  const assets = {
    USDC: new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
    USDT: new PublicKey('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  }
  const instruction = ({ programId, keys, data }) => ({
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) =>
      isSigner
        ? { address: pubkey.toBase58(), signer: true, writable: isWritable }
        : { address: pubkey.toBase58(), signer: false, writable: isWritable },
    ),
    data: data.toString('base64'),
  })
  const samples = []
  for (const [token, asset] of Object.entries(assets)) {
    for (const [index, amount] of ['1', '123456789', '18446744073709551615'].entries()) {
      const signer = owners[index % owners.length]
      const asked = { amount: new BN(amount), shares: new BN(amount), asset, signer, connection }
      const context = await earn.getWithdrawContext(asked)
      samples.push({
        token,
        tokenAddress: asset.toBase58(),
        owner: signer.toBase58(),
        amount,
        addresses: Object.fromEntries(Object.entries(context).map(([name, key]) => [name, key.toBase58()])),
        deposit: instruction(await earn.getDepositIx(asked)),
        withdraw: instruction(await earn.getWithdrawIx(asked)),
        redeem: instruction(await earn.getRedeemIx(asked)),
      })
    }
  }
  const program = earn.getLendingProgram({ connection, signer: owners[0] })
  return {
    vendor: `@jup-ag/lend ${SDK}`,
    program: program.programId.toBase58(),
    samples,
    ...(await stateOf(program, samples[0].addresses)),
  }

  /** Accounts of the first market with a distinct number in every field that is read. */
  async function stateOf({ coder }, addresses) {
    const key = (name) => new PublicKey(addresses[name])
    const nobody = owners[1]
    const lending = {
      mint: key('mint'),
      fTokenMint: key('fTokenMint'),
      lendingId: 257,
      decimals: 6,
      rewardsRateModel: key('rewardsRateModel'),
      liquidityExchangePrice: new BN('1034567890123'),
      tokenExchangePrice: new BN('1045678901234'),
      lastUpdateTimestamp: new BN(1_790_000_001),
      tokenReservesLiquidity: key('supplyTokenReservesLiquidity'),
      supplyPositionOnLiquidity: key('lendingSupplyPositionOnLiquidity'),
      bump: 251,
    }
    const tokenReserve = {
      mint: key('mint'),
      vault: key('vault'),
      borrowRate: 612,
      feeOnInterest: 1_000,
      lastUtilization: 8_123,
      lastUpdateTimestamp: new BN(1_790_000_003),
      supplyExchangePrice: new BN('1034999999999'),
      borrowExchangePrice: new BN('1061234567890'),
      maxUtilization: 9_500,
      totalSupplyWithInterest: new BN('410000000000007'),
      totalSupplyInterestFree: new BN('20000000000011'),
      totalBorrowWithInterest: new BN('330000000000013'),
      totalBorrowInterestFree: new BN('10000000000017'),
      totalClaimAmount: new BN('19'),
      interactingProtocol: nobody,
      interactingTimestamp: new BN(23),
      interactingBalance: new BN(29),
    }
    const userSupplyPosition = {
      protocol: key('lending'),
      mint: key('mint'),
      withInterest: 1,
      amount: new BN('300000000000031'),
      withdrawalLimit: new BN('290000000000037'),
      lastUpdate: new BN(1_790_000_005),
      expandPct: 3_500,
      expandDuration: new BN(21_600),
      baseWithdrawalLimit: new BN('5000000000041'),
      status: 0,
    }
    // Without rewards, whose part of the price depends on the time of day.
    const rewards = { mint: key('mint'), bump: 255 }
    for (const name of ['startTvl', 'duration', 'startTime', 'yearlyReward', 'nextDuration', 'nextRewardAmount'])
      rewards[name] = new BN(0)
    const data = {
      lending: await coder.accounts.encode('lending', lending),
      reserve: await coder.accounts.encode('tokenReserve', tokenReserve),
      position: await coder.accounts.encode('userSupplyPosition', userSupplyPosition),
    }
    const stored = new Map([
      [addresses.lending, data.lending],
      [addresses.supplyTokenReservesLiquidity, data.reserve],
      [addresses.rewardsRateModel, await coder.accounts.encode('lendingRewardsRateModel', rewards)],
    ])
    const worth = []
    for (const shares of ['1', '999999', '123456789012', '9007199254740991']) {
      const reading = {
        ...connection,
        getAccountInfoAndContext: async (address) => ({ value: { data: stored.get(address.toBase58()) } }),
        getTokenSupply: async () => ({ value: { amount: '300000000000000' } }),
        getTokenAccountBalance: async () => ({ value: { amount: shares } }),
      }
      const asked = { user: owners[0], asset: key('mint'), connection: reading }
      const { underlyingAssets } = await earn.getUserLendingPositionByAsset(asked)
      worth.push({ shares, tokens: underlyingAssets.toString() })
    }
    const accounts = Object.fromEntries(Object.entries(data).map(([name, bytes]) => [name, bytes.toString('base64')]))
    return { accounts, worth }
  }
}
