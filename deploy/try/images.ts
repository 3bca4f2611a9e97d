// What the images of a deployment would bring, from this repository and from Debian's packages: see run-services.ts.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Image } from './run-services.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
const postgresPrograms = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)

/** What is missing on this machine to run containers of these programs; undefined if nothing is. */
export function whatIsMissing(programs: readonly string[]): string | undefined {
  const missing = ['ip', 'unshare', 'setpriv', 'nsenter', 'curl', ...programs].filter(
    (name) => spawnSync('which', [name]).status !== 0,
  )
  if (!postgresPrograms) missing.push('postgresql')
  if (process.getuid?.() !== 0) missing.push('root')
  return missing.length > 0 ? missing.join(', ') : undefined
}

/** The live image: the package, installed below `work`. */
export function weirImage(work: string): Image {
  const target = join(work, 'package')
  const writer = join(repository, 'deploy/package/write-package.ts')
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', writer, target, '--live'])
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: target })
  execFileSync('chmod', ['-R', 'go+rX', target])
  // Mounted, because the user of the container may not enter the folders above it.
  const node = '/usr/local/bin/node'
  return {
    entrypoint: ['node', '--max-semi-space-size=8', '/opt/weir/weir.mjs'],
    command: ['start'],
    environment: {
      PATH: `${dirname(node)}:/usr/bin:/bin`,
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: '3000',
      DATA_DIR: '/data',
    },
    workdir: '/opt/weir',
    mounts: { '/opt/weir': target, [node]: process.execPath },
    healthcheck: ['node', '/opt/weir/healthcheck.mjs'],
  }
}

/** The official image of PostgreSQL, with Debian's programs: its entrypoint makes the cluster from the environment. */
export function postgresImage(): Image {
  const data = '/var/lib/postgresql/data'
  const asPostgres = 'setpriv --reuid=postgres --regid=postgres --clear-groups'
  return {
    entrypoint: ['postgres', '-D', data, '-c', 'listen_addresses=*', '-c', 'unix_socket_directories='],
    environment: { PATH: `${postgresPrograms}:/usr/sbin:/usr/bin:/bin`, LANG: 'C.UTF-8' },
    user: execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).trim(),
    prepare: [
      'set -e',
      `mkdir -p ${data}`,
      `chown postgres ${data}`,
      `chmod 700 ${data}`,
      'umask 077',
      'echo "$POSTGRES_PASSWORD" >/run/password',
      'chown postgres /run/password',
      `${asPostgres} initdb -D ${data} -U $POSTGRES_USER --pwfile=/run/password --auth=scram-sha-256 $POSTGRES_INITDB_ARGS`,
      `echo "host all all all scram-sha-256" >>${data}/pg_hba.conf`,
      `echo "create database $POSTGRES_DB" | ${asPostgres} postgres --single -D ${data} postgres`,
    ].join('\n'),
  }
}

/** A program that says that it is Ethereum, and has no contract. */
export const ANVIL = [
  join(repository, 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil'),
  ...['--silent', '--chain-id', '1', '--host', '0.0.0.0', '--block-time', '2'],
]
