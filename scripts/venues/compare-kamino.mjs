// Compares what the tests assume about Kamino Lend (apps/server/src/venues/kamino/vendor-instructions.json) with the
// vendor's SDK, installed into a temporary folder: the SDK is large and the service does not need it.
//
//   node scripts/venues/compare-kamino.mjs            exit code 1 when the SDK and the file differ
//   node scripts/venues/compare-kamino.mjs --record   writes the file
//
// Needs the package registry but no chain: this script makes up reserves and the SDK encodes them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

const SDK = '8.0.2'
// The newest release in the SDK's version range lacks a file that the SDK imports.
const FARMS_SDK = '3.2.24'
const file = fileURLToPath(new URL('../../apps/server/src/venues/kamino/vendor-instructions.json', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'compare-kamino-'))
try {
  const found = await whatTheVendorSays(install())
  if (process.argv.includes('--record')) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    console.log(`Recorded what klend-sdk ${SDK} says.`)
  } else if (isDeepStrictEqual(found, JSON.parse(readFileSync(file, 'utf8')))) {
    console.log(`klend-sdk ${SDK} says what the file says.`)
  } else {
    console.error(
      `klend-sdk ${SDK} says something else than ${file}. Record it with --record and look at the difference.`,
    )
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function install() {
  const dependencies = { '@kamino-finance/klend-sdk': SDK }
  const overrides = { '@kamino-finance/farms-sdk': FARMS_SDK }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('the SDK could not be installed')
  const load = createRequire(join(folder, 'package.json'))
  return {
    klend: load('@kamino-finance/klend-sdk'),
    kit: load('@solana/kit'),
    BN: load('bn.js'),
    Decimal: load('decimal.js'),
  }
}

async function whatTheVendorSays({ klend, kit, BN, Decimal }) {
  const { address, getAddressDecoder, none, some } = kit
  const nameless = (label) => getAddressDecoder().decode(createHash('sha256').update(`kamino ${label}`).digest())
  const SPL = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
  const NOTHING = klend.DEFAULT_PUBLIC_KEY
  const NONE = klend.NULL_PUBKEY

  // Mainnet's addresses where they are public (the main market's USDC), others made up. In the second case every field
  // that is read has a distinct, non-zero value: a wrong offset cannot read the right value.
  const cases = [
    {
      name: 'a market priced by Scope alone, as most are',
      address: address('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59'),
      lendingMarket: address('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF'),
      liquidityMint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
      liquidityProgram: SPL,
      oracles: { pyth: NOTHING, switchboardPrice: NOTHING, switchboardTwap: NONE, scope: nameless('scope') },
      slot: '359632276',
      available: '41250318774512',
      borrowedSf: '138271604938271604938271604938271',
      protocolFeesSf: '12345678901234567890123456',
      referrerFeesSf: '2345678901234567890123456',
      pendingReferrerFeesSf: '345678901234567890123456',
      shares: '136902817364529',
      hostFixedRateBps: 25,
      protocolTakePct: 15,
      cap: { capacity: '25000000000000', total: '4000000000000', start: '1755000000', seconds: '86400' },
      queued: '1234567890123',
      rewards: { available: '250000000000', perSlot: '9000', maxAprBps: 450 },
      permissioned: { authority: NOTHING, market: '0', reserve: '0' },
      blocksShares: 0,
      reserveEmergency: 0,
      marketEmergency: 0,
      curve: [
        [0, 1],
        [7_000, 450],
        [7_400, 510],
        [8_900, 1_234],
        [10_000, 5_432],
      ],
    },
    {
      name: 'a Token-2022 market with every oracle',
      address: nameless('reserve'),
      lendingMarket: nameless('market'),
      liquidityMint: nameless('mint'),
      liquidityProgram: TOKEN_2022,
      oracles: {
        pyth: nameless('pyth'),
        switchboardPrice: nameless('switchboard price'),
        switchboardTwap: nameless('switchboard twap'),
        scope: nameless('other scope'),
      },
      slot: '18446744073709551614',
      available: '7',
      borrowedSf: '340282366920938463463374607431768211',
      protocolFeesSf: '1',
      referrerFeesSf: '36893488147419103233',
      pendingReferrerFeesSf: '18446744073709551619',
      shares: '295147905179352',
      hostFixedRateBps: 65_535,
      protocolTakePct: 255,
      cap: {
        capacity: '9223372036854775807',
        total: '-9223372036854775806',
        start: '18446744073709551612',
        seconds: '18446744073709551611',
      },
      queued: '147573952589676',
      rewards: { available: '18446744073709551608', perSlot: '18446744073709551607', maxAprBps: 65_533 },
      permissioned: { authority: nameless('permissioner'), market: '18446744073709551606', reserve: '3' },
      blocksShares: 1,
      reserveEmergency: 2,
      marketEmergency: 3,
      curve: Array.from({ length: 11 }, (_, index) => [index * 1_000 + 7, 4_294_967_285 + index]),
    },
    {
      name: 'a reserve that nobody has deposited in, without an oracle',
      address: nameless('empty reserve'),
      lendingMarket: nameless('empty market'),
      liquidityMint: nameless('empty mint'),
      liquidityProgram: SPL,
      oracles: { pyth: NONE, switchboardPrice: NONE, switchboardTwap: NOTHING, scope: NOTHING },
      slot: '1',
      available: '0',
      borrowedSf: '0',
      protocolFeesSf: '0',
      referrerFeesSf: '0',
      pendingReferrerFeesSf: '0',
      shares: '0',
      hostFixedRateBps: 0,
      protocolTakePct: 0,
      cap: { capacity: '-1', total: '0', start: '0', seconds: '0' },
      queued: '0',
      rewards: { available: '0', perSlot: '0', maxAprBps: 0 },
      permissioned: { authority: nameless('other permissioner'), market: '1', reserve: '0' },
      blocksShares: 0,
      reserveEmergency: 0,
      marketEmergency: 0,
      curve: [
        [0, 100],
        [10_000, 100],
      ],
    },
  ]

  const reserves = []
  for (const one of cases) reserves.push(await reserveOf(one))
  const { version } = JSON.parse(
    readFileSync(join(folder, 'node_modules', '@kamino-finance', 'klend-sdk', 'package.json'), 'utf8'),
  )
  return { vendor: `@kamino-finance/klend-sdk ${version}`, program: klend.PROGRAM_ID, reserves }

  async function reserveOf(wanted) {
    const account = encoded(wanted)
    const state = klend.Reserve.decode(account)
    const market = encodedMarket(wanted)
    const marketState = klend.LendingMarket.decode(market)
    const { liquidity, collateral } = state
    const { pythConfiguration, switchboardConfiguration, scopeConfiguration } = state.config.tokenInfo
    const authority = (await klend.lendingMarketAuthPda(state.lendingMarket))[0]
    return {
      name: wanted.name,
      account: account.toString('base64'),
      market: {
        account: market.toString('base64'),
        emergencyMode: marketState.emergencyMode,
        rewardsMaxAprBps: marketState.reserveRewardsMaxAprBps,
        permissioningAuthority: marketState.permissioningAuthority,
        permissionedOps: marketState.permissionedOps.toString(),
      },
      decoded: {
        address: wanted.address,
        lendingMarket: state.lendingMarket,
        refreshedAt: state.lastUpdate.slot.toString(),
        liquidityMint: liquidity.mintPubkey,
        supplyVault: liquidity.supplyVault,
        liquidityProgram: liquidity.tokenProgram,
        collateralMint: collateral.mintPubkey,
        shares: collateral.mintTotalSupply.toString(),
        available: liquidity.totalAvailableAmount.toString(),
        borrowedSf: liquidity.borrowedAmountSf.toString(),
        protocolFeesSf: liquidity.accumulatedProtocolFeesSf.toString(),
        referrerFeesSf: liquidity.accumulatedReferrerFeesSf.toString(),
        pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf.toString(),
        queuedShares: state.withdrawQueue.queuedCollateralAmount.toString(),
        rewardsAvailable: liquidity.rewardsAmountAvailable.toString(),
        oracles: {
          pyth: pythConfiguration.price,
          switchboardPrice: switchboardConfiguration.priceAggregator,
          switchboardTwap: switchboardConfiguration.twapAggregator,
          scope: scopeConfiguration.priceFeed,
        },
      },
      authority,
      terms: {
        hostFixedRateBps: state.config.hostFixedInterestRateBps,
        protocolTakePct: state.config.protocolTakeRatePct,
        curve: state.config.borrowRateCurve.points.map((point) => [point.utilizationRateBps, point.borrowRateBps]),
        rewardsPerSlot: state.config.rewardsAmountPerSlot.toString(),
      },
      permissionedOps: state.configPadding[0].toString(),
      withdrawals: withdrawals(state, wanted.address),
      worth: worth(state, wanted.address),
      interest: interest(state, wanted.address),
      rewards: rewards(state, wanted.address),
      refresh: plain(
        klend.refreshReserve({
          reserve: wanted.address,
          lendingMarket: state.lendingMarket,
          pythOracle: optional(pythConfiguration.price),
          switchboardPriceOracle: optional(switchboardConfiguration.priceAggregator),
          switchboardTwapOracle: optional(switchboardConfiguration.twapAggregator),
          scopePrices: optional(scopeConfiguration.priceFeed),
        }),
      ),
      samples: await samples(wanted.address, state, authority),
    }
  }

  /** The SDK's own placeholder for an omitted account. */
  function optional(oracle) {
    return klend.isNotNullPubkey(oracle) ? some(oracle) : none()
  }

  /** An account in the SDK's own encoding. Neighbors of the fields that are read are set too; the rest is zero. */
  function encoded(wanted) {
    const { layout, discriminator } = klend.Reserve
    const state = layout.decode(Buffer.alloc(layout.getSpan(Buffer.alloc(16_384))))
    const { liquidity, collateral, config } = state
    const vault = nameless(`${wanted.name}: supply vault`)
    Object.assign(state, { lendingMarket: wanted.lendingMarket, version: new BN(1) })
    Object.assign(state, { farmCollateral: nameless('farm'), farmDebt: nameless('debt farm') })
    state.lastUpdate.slot = new BN(wanted.slot)
    Object.assign(liquidity, {
      mintPubkey: wanted.liquidityMint,
      supplyVault: vault,
      feeVault: nameless('fee vault'),
      tokenProgram: wanted.liquidityProgram,
      totalAvailableAmount: new BN(wanted.available),
      borrowedAmountSf: new BN(wanted.borrowedSf),
      accumulatedProtocolFeesSf: new BN(wanted.protocolFeesSf),
      accumulatedReferrerFeesSf: new BN(wanted.referrerFeesSf),
      pendingReferrerFeesSf: new BN(wanted.pendingReferrerFeesSf),
      marketPriceSf: new BN('1152921504606846999'),
      mintDecimals: new BN(6),
      absoluteReferralRateSf: new BN('98765432109876543'),
      rewardsAmountAvailable: new BN(wanted.rewards.available),
    })
    Object.assign(collateral, {
      mintPubkey: nameless(`${wanted.name}: collateral mint`),
      mintTotalSupply: new BN(wanted.shares),
      supplyVault: nameless('collateral vault'),
    })
    Object.assign(config, {
      hostFixedInterestRateBps: wanted.hostFixedRateBps,
      protocolTakeRatePct: wanted.protocolTakePct,
      // Neighbors of the fields that are read.
      minDeleveragingBonusBps: 50,
      protocolLiquidationFeePct: 35,
      borrowFactorPct: new BN(100),
      blockCtokenUsage: wanted.blocksShares,
      earlyRepayRemainingInterestPct: 75,
      emergencyMode: wanted.reserveEmergency,
      debtTermSeconds: new BN(2_592_000),
      rewardsAmountPerSlot: new BN(wanted.rewards.perSlot),
    })
    // This release has `permissioned_ops`, which the program appended to the configuration, as its padding.
    state.configPadding[0] = new BN(wanted.permissioned.reserve)
    Object.assign(config.depositWithdrawalCap, capOf(wanted.cap))
    // Of loans: its neighbor.
    Object.assign(config.debtWithdrawalCap, capOf({ capacity: '11', total: '12', start: '13', seconds: '14' }))
    Object.assign(state.withdrawQueue, {
      queuedCollateralAmount: new BN(wanted.queued),
      nextIssuedTicketSequenceNumber: new BN(77),
      nextWithdrawableTicketSequenceNumber: new BN(66),
    })
    // A curve ends with its last point repeated.
    for (const [index, point] of config.borrowRateCurve.points.entries()) {
      const [utilizationRateBps, borrowRateBps] = wanted.curve[Math.min(index, wanted.curve.length - 1)]
      Object.assign(point, { utilizationRateBps, borrowRateBps })
    }
    config.tokenInfo.pythConfiguration.price = wanted.oracles.pyth
    config.tokenInfo.switchboardConfiguration.priceAggregator = wanted.oracles.switchboardPrice
    config.tokenInfo.switchboardConfiguration.twapAggregator = wanted.oracles.switchboardTwap
    config.tokenInfo.scopeConfiguration.priceFeed = wanted.oracles.scope
    const bytes = Buffer.alloc(16_384)
    const length = layout.encode(state, bytes)
    return Buffer.concat([discriminator, bytes.subarray(0, length)])
  }

  function capOf({ capacity, total, start, seconds }) {
    return {
      configCapacity: new BN(capacity),
      currentTotal: new BN(total),
      lastIntervalStartTimestamp: new BN(start),
      configIntervalLengthSeconds: new BN(seconds),
    }
  }

  function encodedMarket(wanted) {
    const { layout, discriminator } = klend.LendingMarket
    const state = layout.decode(Buffer.alloc(layout.getSpan(Buffer.alloc(16_384))))
    // Neighbors of the fields that are read.
    Object.assign(state, { version: new BN(1), referralFeeBps: 2_000, autodeleverageEnabled: 1, borrowDisabled: 1 })
    Object.assign(state, { withdrawTicketCancellationEnabled: 1, minWithdrawQueuedLiquidityValue: new BN(88) })
    state.emergencyMode = wanted.marketEmergency
    state.reserveRewardsMaxAprBps = wanted.rewards.maxAprBps
    Object.assign(state, { termBasedFullLiquidationDurationSecs: new BN(99) })
    state.permissioningAuthority = wanted.permissioned.authority
    state.permissionedOps = new BN(wanted.permissioned.market)
    const bytes = Buffer.alloc(16_384)
    return Buffer.concat([discriminator, bytes.subarray(0, layout.encode(state, bytes))])
  }

  /**
   * What the SDK says about withdrawals: the cap of an interval and what of it is used at some times, and what is
   * available beside the queue at the last refresh. Base units. Null where the SDK's numbers overflow.
   */
  function withdrawals(state, reserve) {
    const { depositWithdrawalCap: cap } = state.config
    const { configCapacity, currentTotal, lastIntervalStartTimestamp: start, configIntervalLengthSeconds: length } = cap
    const read = new klend.KaminoReserve(state, reserve, { price: new Decimal(0) }, undefined, 500)
    const isSmall = state.lastUpdate.slot.bitLength() <= 53
    const isRead = (time) => time.bitLength() <= 53 && !time.isNeg()
    const times = [start, start.add(length).subn(1), start.add(length)].filter(isRead)
    return {
      cap: {
        capacity: configCapacity.toString(),
        total: currentTotal.toString(),
        startedAt: start.toString(),
        seconds: length.toString(),
      },
      used: times.map((time) => ({
        at: time.toString(),
        total: read.getDepositWithdrawalCapCurrent(time.toNumber()).toFixed(),
      })),
      free: isSmall
        ? read.getFreelyAvailableLiquidityAmount(BigInt(state.lastUpdate.slot.toString())).toFixed(6)
        : null,
    }
  }

  /** The SDK's conversions between shares and amounts at the reserve's last refresh; decimals, not rounded. */
  function worth(state, reserve) {
    const noPrice = { price: new Decimal(0) }
    const read = new klend.KaminoReserve(state, reserve, noPrice, undefined, 400)
    const rate = read.getCollateralExchangeRate()
    const shares = ['1', '999999', '1000000000', '123456789012']
    return shares.map((amount) => ({
      amount,
      tokens: klend.KaminoReserve.cTokensToLiquidity(new Decimal(amount), rate).toFixed(),
      shares: klend.KaminoReserve.liquidityToCTokens(new Decimal(amount), rate).toFixed(),
    }))
  }

  /**
   * The SDK's interest: debt and supply some slots after the last refresh, and the rate of a deposit, without rewards.
   * Uses slots of half a second, for which the SDK counts as the program does. Null where the SDK's numbers overflow.
   */
  function interest(state, reserve) {
    if (state.lastUpdate.slot.bitLength() > 53) return null
    const noPrice = { price: new Decimal(0) }
    const read = new klend.KaminoReserve(state, reserve, noPrice, undefined, 500)
    const refreshed = BigInt(state.lastUpdate.slot.toString())
    return {
      supplyRate: read.calculateSupplyAPR(refreshed, 0),
      grown: [1n, 2n, 5n, 1_000n, 216_000n, 6_480_000n].map((slots) => {
        const { totalBorrow, totalSupply } = read.getEstimatedDebtAndSupply(refreshed + slots, 0)
        return { slots: String(slots), borrowed: totalBorrow.toFixed(6), supply: totalSupply.toFixed(6) }
      }),
    }
  }

  /**
   * What refreshes move from the reserve's rewards to its depositors, bound by each of the three limits, and by a market
   * that allows none. This release of the SDK encodes the fields but distributes nothing: the amount and the rate follow
   * distribute_rewards in the program's sources (state/reserve.rs), on the SDK's own supply after interest.
   */
  function rewards(state, reserve) {
    if (state.lastUpdate.slot.bitLength() > 53) return null
    const read = new klend.KaminoReserve(state, reserve, { price: new Decimal(0) }, undefined, 500)
    const refreshed = BigInt(state.lastUpdate.slot.toString())
    const supplyAt = (slots) => read.getEstimatedDebtAndSupply(refreshed + slots, 0).totalSupply
    const hasShares = !state.collateral.mintTotalSupply.isZero()
    const slotsPerYear = 63_072_000n
    return [
      { limit: 'the amount per slot', available: 250_000_000_000n, perSlot: 9_000n, maxAprBps: 450n },
      { limit: 'the rate that the market allows', available: 250_000_000_000n, perSlot: 200_000n, maxAprBps: 450n },
      { limit: 'what is left', available: 4_321n, perSlot: 9_000n, maxAprBps: 450n },
      { limit: 'nothing is left', available: 0n, perSlot: 9_000n, maxAprBps: 450n },
      { limit: 'a market without rewards', available: 250_000_000_000n, perSlot: 9_000n, maxAprBps: 0n },
    ].map(({ limit, available, perSlot, maxAprBps }) => {
      const paysNow = hasShares && available > 0n
      const perYear = hasShares ? new Decimal(String(perSlot * slotsPerYear)).div(supplyAt(0n)).toNumber() : 0
      return {
        limit,
        available: String(available),
        perSlot: String(perSlot),
        maxAprBps: Number(maxAprBps),
        supplyRate:
          read.calculateSupplyAPR(refreshed, 0) + (paysNow ? Math.min(perYear, Number(maxAprBps) / 10_000) : 0),
        grown: [1n, 1_500n, 216_000n].map((slots) => {
          const supply = supplyAt(slots)
          const allowed = (BigInt(supply.floor().toFixed(0)) * maxAprBps * slots) / (10_000n * slotsPerYear)
          const [least] = [perSlot * slots, allowed, available].sort((a, b) => (a < b ? -1 : 1))
          const distributed = hasShares ? least : 0n
          return {
            slots: String(slots),
            distributed: String(distributed),
            supply: supply.add(String(distributed)).toFixed(6),
          }
        }),
      }
    })
  }

  async function samples(reserve, state, authority) {
    const { liquidity, collateral, lendingMarket } = state
    const found = []
    for (const [label, amount] of [
      ['first owner', '1'],
      ['second owner', '250000000'],
      ['second owner', '18446744073709551615'],
    ]) {
      const owner = nameless(label)
      const tokenAccount = await klend.getAssociatedTokenAddress(liquidity.mintPubkey, owner, liquidity.tokenProgram)
      const shareAccount = await klend.getAssociatedTokenAddress(collateral.mintPubkey, owner)
      const common = {
        owner: { address: owner },
        reserve,
        lendingMarket,
        lendingMarketAuthority: authority,
        reserveLiquidityMint: liquidity.mintPubkey,
        reserveLiquiditySupply: liquidity.supplyVault,
        reserveCollateralMint: collateral.mintPubkey,
        collateralTokenProgram: SPL,
        liquidityTokenProgram: liquidity.tokenProgram,
        instructionSysvarAccount: address('Sysvar1nstructions1111111111111111111111111'),
      }
      const into = { ...common, userSourceLiquidity: tokenAccount, userDestinationCollateral: shareAccount }
      const out = { ...common, userSourceCollateral: shareAccount, userDestinationLiquidity: tokenAccount }
      const deposit = klend.depositReserveLiquidity({ liquidityAmount: new BN(amount) }, into)
      const redeem = klend.redeemReserveCollateral({ collateralAmount: new BN(amount) }, out)
      found.push({ owner, tokenAccount, shareAccount, amount, deposit: plain(deposit), redeem: plain(redeem) })
    }
    return found
  }

  function plain({ programAddress, accounts, data }) {
    return {
      program: programAddress,
      // Roles of @solana/kit: the first bit means writable, the second signer.
      accounts: accounts.map((account) => ({
        address: account.address,
        signer: (account.role & 2) !== 0,
        writable: (account.role & 1) !== 0,
      })),
      data: Buffer.from(data).toString('base64'),
    }
  }
}
