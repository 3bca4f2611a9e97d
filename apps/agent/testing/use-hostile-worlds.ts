import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import type { Address } from './hostile-work.ts'
import { type HostileWorld, SIGNER_SECRET, startHostileWorld } from './hostile-world.ts'
import { type ReferenceSigner, startReferenceSigner } from './reference-signer.ts'

/** What the attacks of a file run against: one signer for the file, and agents that end with their test. */
export interface HostileWorlds {
  /** The signer's wallet on polygon. */
  readonly me: Address
  readonly signer: ReferenceSigner
  /** Starts an agent with these settings amid parts that are all hostile. */
  world(settings?: Readonly<Record<string, string | object>>): Promise<HostileWorld>
}

/** Registers the hooks of a test file. Its properties exist once the tests run. */
export function useHostileWorlds(): HostileWorlds {
  let signer: ReferenceSigner
  let me: Address
  const worlds: HostileWorld[] = []
  async function world(settings: Readonly<Record<string, string | object>> = {}): Promise<HostileWorld> {
    const started = await startHostileWorld(signer.url, settings)
    worlds.push(started)
    return started
  }
  beforeAll(async () => {
    signer = await startReferenceSigner(SIGNER_SECRET)
    const first = await world()
    me = (await first.createWallet('polygon')).address as Address
  })
  afterEach(async () => {
    vi.useRealTimers()
    await Promise.all(worlds.splice(0).map((one) => one.end()))
  })
  afterAll(() => signer.close())
  return {
    get me() {
      return me
    },
    get signer() {
      return signer
    },
    world,
  }
}

/** Nothing left the agent but a refusal with this code. */
export function refused(code: string) {
  return [{ status: 'FAILED', error: expect.stringMatching(new RegExp(`^${code}: `)) }]
}
export const HELD = [{ status: undefined, error: undefined }]
export const SENT = { status: 'SUBMITTED', error: undefined }
