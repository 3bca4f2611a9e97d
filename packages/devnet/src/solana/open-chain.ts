import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LEGACY_MEMO_PROGRAM_ADDRESS_V3, MEMO_PROGRAM_ADDRESS } from '@solana-program/memo'
import type { StrategyControls } from '../strategy-state.ts'
import { layoutToJson } from './deployment.ts'
import { planSolana, type SolanaPlan } from './design.ts'
import { writeGenesis } from './genesis.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { priceFeeds } from './price-feeds.ts'
import { openStore, type Store, type StoreRetention } from './store.ts'
import { vaultControls } from './vault-controls.ts'
import { vaultDeployments } from './vault-deployments.ts'
import { createVm, type Vm } from './vm.ts'

export type OpenedChain = {
  readonly ledger: Ledger
  readonly controls: ReadonlyMap<string, StrategyControls>
  readonly isNew: boolean
  /** The chain's layout, as `layoutFromJson` reads it. */
  readonly layout: string
  /** Notes for the process that starts the chain. */
  readonly notes: readonly string[]
}

/**
 * Opens the chain in that file, or sets up a new one. A file that is damaged, incomplete or from another
 * release is quarantined, never deleted. `now`: Unix milliseconds.
 */
export async function openChain(path: string, keep: StoreRetention, now: () => number): Promise<OpenedChain> {
  const plan = await planSolana()
  const notes: string[] = []
  let store = openOrNull(path, keep, notes)
  if (store !== null && !store.isNew && !fits(store.setting('fingerprint'), plan)) {
    store.close()
    store = null
    notes.push(quarantineStore(path, 'does not fit this release'))
  }
  store ??= openStore(path, keep)
  const { isNew } = store
  const vm = preparedVm()
  const deployments = vaultDeployments(vm, store, plan)
  const feeds = priceFeeds(vm, store, plan.deployment.tokens)
  const ledger = openLedger({ vm, store, now, beforeBlock: feeds.publish })
  feeds.publish(ledger.time())
  if (isNew) await writeGenesis(ledger, plan)
  store.setSetting('fingerprint', plan.fingerprint)
  return {
    ledger,
    controls: vaultControls({ ledger, feeds, deployments }, plan),
    isNew,
    layout: layoutToJson(plan.deployment),
    notes,
  }
}

/** Whether a saved chain is of this release, or of one that this release continues. */
function fits(fingerprint: string | null, plan: SolanaPlan): boolean {
  return fingerprint !== null && [plan.fingerprint, ...plan.earlierFingerprints].includes(fingerprint)
}

function openOrNull(path: string, keep: StoreRetention, notes: string[]): Store | null {
  try {
    return openStore(path, keep)
  } catch (error) {
    notes.push(quarantineStore(path, `is damaged (${error instanceof Error ? error.message : String(error)})`))
    return null
  }
}

function quarantineStore(path: string, why: string): string {
  let number = 1
  const target = () => join(dirname(path), `solana.quarantined-${number}.db`)
  while (existsSync(target())) number++
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(path + part)) renameSync(path + part, target() + part)
  }
  return `The saved state of the solana chain ${why}: moved to ${target()}. The chain starts from scratch.`
}

/** The virtual machine with every program but the vaults’. */
function preparedVm(): Vm {
  const vm = createVm()
  // The virtual machine has the memo program at its old address only; newer client libraries use another.
  const memo = vm.account(LEGACY_MEMO_PROGRAM_ADDRESS_V3)
  if (memo !== null) vm.addProgram(MEMO_PROGRAM_ADDRESS, Uint8Array.from(memo.data))
  return vm
}
