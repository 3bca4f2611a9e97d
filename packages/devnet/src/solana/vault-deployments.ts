import type { SolanaPlan } from './design.ts'
import type { Store } from './store.ts'
import type { Vm } from './vm.ts'

const SLOT = 'slot of the last deployment'
const REPLACED = 'program is replaced'

/**
 * The vaults' program as the upgradeable loader stores it, deployed by the treasury. A redeployment, with any code,
 * shows as a later slot, which survives a restart. The code that runs is always this release's.
 */
export function vaultDeployments(vm: Vm, store: Pick<Store, 'setting' | 'setSetting'>, plan: SolanaPlan) {
  const install = () => {
    const deployed = { slot: Number(store.setting(SLOT) ?? 0), authority: plan.deployment.treasury.address }
    const programs = new Set(plan.vaults.map(({ at }) => at.program))
    for (const program of programs) vm.addUpgradeable(program, plan.programBytes, deployed)
  }
  install()
  return {
    isReplaced: () => store.setting(REPLACED) === 'true',
    /** Deploys the program again. */
    deploy(isReplaced: boolean, slot: number) {
      store.setSetting(SLOT, String(slot))
      store.setSetting(REPLACED, String(isReplaced))
      install()
    },
  }
}

export type VaultDeployments = ReturnType<typeof vaultDeployments>
