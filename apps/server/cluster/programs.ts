import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PACKAGES = ['patroni', 'etcd-server', 'etcd-client', 'haproxy', 'postgresql']

/** Where Debian puts the programs that the cluster runs. */
export interface ClusterPrograms {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
  /** The folder of initdb, postgres and pg_rewind. */
  readonly postgres: string
}

/** Undefined: at least one is missing. */
function findPrograms(): ClusterPrograms | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newest = versions
    .map(Number)
    .filter(Number.isSafeInteger)
    .sort((one, other) => other - one)[0]
  const found = {
    patroni: '/usr/bin/patroni',
    etcd: '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    postgres: join('/usr/lib/postgresql', String(newest), 'bin'),
  }
  const isThere = [found.patroni, found.etcd, found.haproxy, join(found.postgres, 'postgres')].every(isExecutable)
  return isThere ? found : undefined
}

/**
 * Installs the missing programs from Debian's packages, without starting their services or making a database of the
 * system's. Rejects with the reason where that is not possible.
 */
export async function installPrograms(say: (line: string) => void): Promise<ClusterPrograms> {
  const found = findPrograms()
  if (found) return found
  if (!isExecutable('/usr/bin/apt-get')) throw new Error('this machine has no apt-get')
  if (process.getuid?.() !== 0) throw new Error(`only root can install ${PACKAGES.join(', ')}`)
  say(`installing ${PACKAGES.join(', ')}`)
  if (!existsSync('/etc/postgresql-common/createcluster.conf')) {
    mkdirSync('/etc/postgresql-common', { recursive: true })
    writeFileSync('/etc/postgresql-common/createcluster.conf', 'create_main_cluster = false\n')
  }
  const policy = '/usr/sbin/policy-rc.d'
  const forbidsServices = existsSync(policy)
  if (!forbidsServices) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    // The lists of packages may be missing or old; or current, and then there is nothing to update.
    await install().catch(async () => {
      // Another test may be updating them at the moment, which is as good.
      await aptGet('update', '-qq').catch(() => undefined)
      await install()
    })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : ''
    throw new Error(`apt-get could not install ${PACKAGES.join(', ')}: ${said}`)
  } finally {
    if (!forbidsServices) rmSync(policy)
  }
  const installed = findPrograms()
  if (!installed) throw new Error('the packages lack one of the programs')
  return installed
}

/** Tests of the dashboard may be installing a browser at the moment. */
const install = () =>
  aptGet(
    ...['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends'],
    ...[...PACKAGES, 'python3-etcd'],
  )

/** Not synchronous: it takes a minute, in which a worker of the tests must answer. */
const aptGet = (...args: string[]) =>
  promisify(execFile)('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1_048_576,
  })

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
