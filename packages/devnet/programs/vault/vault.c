// SPDX-License-Identifier: Apache-2.0
//
// A share vault on Solana, for development chains only: it was not audited and takes its yield from a
// budget, not from borrowers. Deposits of one token are exchanged for shares of an SPL mint; the price of
// a share grows with the clock. README.md in this folder lists accounts, instructions and formulas.
//
// The compiler is plain clang with its BPF target: no writable globals, at most five arguments, no 128-bit
// division, and 512 bytes of stack, so everything that is large lies on the heap (see `Scratch`).

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// ---- What the runtime gives and takes -------------------------------------------------------------------

typedef struct { u8 *key; u8 is_writable; u8 is_signer; } Meta;
typedef struct { u8 *program; Meta *accounts; u64 account_count; u8 *data; u64 data_len; } Instruction;
typedef struct {
  u8 *key; u64 *lamports; u64 data_len; u8 *data; u8 *owner; u64 rent_epoch;
  u8 is_signer; u8 is_writable; u8 executable;
} Account;
typedef struct { const u8 *bytes; u64 len; } Slice;
typedef struct { const Slice *seeds; u64 len; } Signer;
typedef struct { u64 slot; i64 epoch_start; u64 epoch; u64 leader_schedule_epoch; i64 unix_timestamp; } Clock;

extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64, const Signer *, u64);
extern u64 sol_try_find_program_address(const Slice *, u64, const u8 *, u8 *, u8 *);
extern u64 sol_get_clock_sysvar(Clock *);
extern u64 sol_log_(const char *, u64);
extern u64 sol_log_data(const Slice *, u64);

#define NOINLINE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

// ---- Errors: above those of the token program, which come through with its own small numbers -------------

enum {
  OK = 0,
  UNKNOWN_INSTRUCTION = 100,
  WRONG_ACCOUNT_COUNT = 101,
  DUPLICATE_ACCOUNT = 102,
  MISSING_SIGNATURE = 103,
  WRONG_PROGRAM = 104,
  WRONG_VAULT = 105,
  WRONG_TOKEN_MINT = 106,
  WRONG_SHARE_MINT = 107,
  WRONG_LIQUIDITY = 108,
  WRONG_SHARE_ACCOUNT = 109,
  ALREADY_INITIALIZED = 110,
  INVALID_PARAMETER = 111,
  DEPOSIT_TOO_SMALL = 112,
  NOTHING_TO_DO = 113,
  LESS_THAN_MINIMUM = 114,
  NOT_ENOUGH_SHARES = 115,
  ARITHMETIC_OVERFLOW = 116,
  CLOCK_UNAVAILABLE = 117,
  PAUSED = 118,
  CAP_EXCEEDED = 119,
  WRONG_GOVERNOR = 120,
};

// ---- State ----------------------------------------------------------------------------------------------

typedef struct {
  u64 magic;
  u8 bump, paused, cap[6];
  u8 token_mint[32], share_mint[32], liquidity[32];
  u64 total_assets, total_shares;
  i64 last_accrual;
  u64 rate_numerator, rate_denominator;
  u64 yield_left;
  u64 virtual_assets, virtual_shares;
  u64 min_deposit;
  u64 lost;
} Vault;

#define MAGIC 0x31544c5652494557ULL // "WEIRVLT1"
#define VIRTUAL_ASSETS 1
#define VIRTUAL_SHARES 1000
#define SHARE_DECIMALS_MORE 3
#define ALL 0xffffffffffffffffULL
#define OVERFLOWN 0xffffffffffffffffULL

#define MINT_SIZE 82
#define TOKEN_ACCOUNT_SIZE 165
// Lamports for an account of n bytes to live forever. Should the rent differ, the runtime refuses it.
#define RENT(n) ((128 + (n)) * 6960ULL)

#define MAX_ACCOUNTS 8
typedef struct {
  Account accounts[MAX_ACCOUNTS];
  Meta metas[4];
  u8 data[64];
  u8 event[48];
  u8 found[32];
  Instruction call;
  Slice seeds[3];
  Slice own_seeds[3];
  Signer signer;
  Slice logged;
  Clock clock;
  u8 bump;
} Scratch;
#define S ((Scratch *)0x300000000ULL)

static const u8 TOKEN_PROGRAM[32] = {6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172,
  28, 180, 133, 237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169};
static const u8 SYSTEM_PROGRAM[32] = {0};
// The development chain's treasury, which changes the state of the vaults.
static const u8 GOVERNOR[32] = {78, 240, 220, 197, 220, 220, 99, 211, 225, 66, 197, 91, 226, 90, 11, 140, 68, 83, 109,
  189, 158, 118, 104, 188, 200, 149, 131, 106, 188, 6, 48, 95};

// ---- Small tools ----------------------------------------------------------------------------------------

INLINE u64 read64(const u8 *p) {
  u64 value = 0;
  for (int i = 7; i >= 0; i--) value = (value << 8) | p[i];
  return value;
}

INLINE void write64(u8 *p, u64 value) {
  for (int i = 0; i < 8; i++) p[i] = (u8)(value >> (8 * i));
}

/* The cap, plus one, has 48 bits: 0: no cap, as in vaults that were made before caps. */
INLINE u64 read48(const u8 *p) {
  u64 value = 0;
  for (int i = 5; i >= 0; i--) value = (value << 8) | p[i];
  return value;
}

INLINE void write48(u8 *p, u64 value) {
  for (int i = 0; i < 6; i++) p[i] = (u8)(value >> (8 * i));
}

INLINE void copy32(u8 *to, const u8 *from) {
  for (int i = 0; i < 32; i++) to[i] = from[i];
}

NOINLINE int same(const u8 *a, const u8 *b) {
  for (int i = 0; i < 32; i++) if (a[i] != b[i]) return 0;
  return 1;
}

/* floor(a * b / d) with a 128-bit product; OVERFLOWN when it does not fit or d is 0. */
NOINLINE u64 mul_div(u64 a, u64 b, u64 d) {
  if (d == 0) return OVERFLOWN;
  u64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  u64 middle = (p00 >> 32) + (p01 & 0xffffffff) + (p10 & 0xffffffff);
  u64 low = (p00 & 0xffffffff) | (middle << 32);
  u64 high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
  if (high == 0) return low / d;
  if (high >= d) return OVERFLOWN;
  u64 remainder = high, quotient = 0;
  for (int i = 63; i >= 0; i--) {
    u64 carry = remainder >> 63;
    remainder = (remainder << 1) | ((low >> i) & 1);
    quotient <<= 1;
    if (carry || remainder >= d) {
      remainder -= d;
      quotient |= 1;
    }
  }
  return quotient;
}

INLINE void seed(Slice *slot, const u8 *bytes, u64 len) {
  slot->bytes = bytes;
  slot->len = len;
}

INLINE void meta(int at, Account *account, u8 writable, u8 signer) {
  S->metas[at].key = account->key;
  S->metas[at].is_writable = writable;
  S->metas[at].is_signer = signer;
}

/* Calls a program with the metas and data prepared in scratch; the vault signs when `signed_by_pda`. */
NOINLINE u64 call(u8 *program, u64 metas, u64 data_len, u64 account_count, u64 signed_by_pda) {
  S->call.program = program;
  S->call.accounts = S->metas;
  S->call.account_count = metas;
  S->call.data = S->data;
  S->call.data_len = data_len;
  return sol_invoke_signed_c(&S->call, S->accounts, account_count, &S->signer, signed_by_pda);
}

INLINE void sign_with(Slice *seeds) {
  S->signer.seeds = seeds;
  S->signer.len = 3;
}

INLINE void sign_as_vault(Vault *vault) {
  seed(&S->own_seeds[0], (const u8 *)"vault", 5);
  seed(&S->own_seeds[1], vault->token_mint, 32);
  seed(&S->own_seeds[2], &vault->bump, 1);
  sign_with(S->own_seeds);
}

/* "Program data:" in the logs: kind, amount, shares, total assets, total shares, time; see README. */
NOINLINE void log_event(u8 kind, u64 amount, u64 shares, Vault *vault) {
  u8 *e = S->event;
  e[0] = kind;
  write64(e + 1, amount);
  write64(e + 9, shares);
  write64(e + 17, vault->total_assets);
  write64(e + 25, vault->total_shares);
  write64(e + 33, (u64)vault->last_accrual);
  seed(&S->logged, e, 41);
  sol_log_data(&S->logged, 1);
}

// ---- Accrual and prices ---------------------------------------------------------------------------------

/* Moves the yield owed since the last accrual, as far as the budget reaches, into the assets. */
NOINLINE u64 accrue(Vault *vault) {
  if (sol_get_clock_sysvar(&S->clock)) return CLOCK_UNAVAILABLE;
  i64 now = S->clock.unix_timestamp;
  if (now <= vault->last_accrual) return OK;
  u64 elapsed = (u64)(now - vault->last_accrual);
  // The numerator has at most 32 bits as well, so their product fits.
  if (elapsed >> 32) return ARITHMETIC_OVERFLOW;
  u64 interest = mul_div(vault->total_assets, vault->rate_numerator * elapsed, vault->rate_denominator);
  // Also what does not fit into 64 bits is more than the budget.
  if (interest > vault->yield_left) interest = vault->yield_left;
  if (interest > ALL - vault->total_assets) return ARITHMETIC_OVERFLOW;
  vault->total_assets += interest;
  vault->yield_left -= interest;
  vault->last_accrual = now;
  return OK;
}

/* The vault behind accounts[1], with the mint behind accounts[2], or an error in *problem. */
NOINLINE Vault *checked_vault(const u8 *program, u64 *problem) {
  Account *a = S->accounts;
  Vault *vault = (Vault *)a[1].data;
  *problem = WRONG_VAULT;
  if (!same(a[1].owner, program) || a[1].data_len != sizeof(Vault) || vault->magic != MAGIC) return 0;
  *problem = WRONG_TOKEN_MINT;
  if (!same(a[2].key, vault->token_mint)) return 0;
  *problem = OK;
  return vault;
}

/* TransferChecked of the vault's token between two accounts. */
NOINLINE u64 transfer(u64 from, u64 to, u64 authority, u64 amount, u64 account_count) {
  Account *a = S->accounts;
  meta(0, &a[from], 1, 0);
  meta(1, &a[2], 0, 0);
  meta(2, &a[to], 1, 0);
  meta(3, &a[authority], 0, 1);
  S->data[0] = 12;
  write64(S->data + 1, amount);
  S->data[9] = a[2].data[44];
  return call((u8 *)a[account_count - 1].key, 4, 10, account_count, authority == 1);
}

// ---- Instructions ---------------------------------------------------------------------------------------

NOINLINE u64 create(u64 index, u64 space, const u8 *owner, Slice *seeds) {
  Account *a = S->accounts;
  sign_with(seeds);
  meta(0, &a[0], 1, 1);
  meta(1, &a[index], 1, 1);
  u8 *d = S->data;
  d[0] = d[1] = d[2] = d[3] = 0;
  write64(d + 4, RENT(space));
  write64(d + 12, space);
  copy32(d + 20, owner);
  return call(a[6].key, 2, 52, 7, 1);
}

/* Whether accounts[index] is the program's address for (name, key); its bump is left in scratch. */
NOINLINE int derived(u64 index, const char *name, u64 len, const u8 *key, const u8 *program) {
  seed(&S->seeds[0], (const u8 *)name, len);
  seed(&S->seeds[1], key, 32);
  seed(&S->seeds[2], &S->bump, 1);
  if (sol_try_find_program_address(S->seeds, 2, program, S->found, &S->bump)) return 0;
  return same(S->found, S->accounts[index].key);
}

/* 0 payer (signer, writable), 1 vault, 2 token mint, 3 share mint, 4 liquidity, 5 token program, 6 system program */
NOINLINE u64 initialize(const u8 *program, const u8 *data) {
  Account *a = S->accounts;
  u64 rate_numerator = read64(data), rate_denominator = read64(data + 8), min_deposit = read64(data + 16);
  if (rate_denominator == 0 || rate_numerator >> 32 || min_deposit == 0) return INVALID_PARAMETER;
  if (!same(a[5].key, TOKEN_PROGRAM) || !same(a[6].key, SYSTEM_PROGRAM)) return WRONG_PROGRAM;
  if (!same(a[2].owner, TOKEN_PROGRAM) || a[2].data_len != MINT_SIZE) return WRONG_TOKEN_MINT;
  if (a[1].data_len != 0) return ALREADY_INITIALIZED;
  u64 problem;

  if (!derived(1, "vault", 5, a[2].key, program)) return WRONG_VAULT;
  u8 bump = S->bump;
  if ((problem = create(1, sizeof(Vault), program, S->seeds))) return problem;
  if (!derived(3, "shares", 6, a[1].key, program)) return WRONG_SHARE_MINT;
  if ((problem = create(3, MINT_SIZE, TOKEN_PROGRAM, S->seeds))) return problem;
  if (!derived(4, "liquidity", 9, a[1].key, program)) return WRONG_LIQUIDITY;
  if ((problem = create(4, TOKEN_ACCOUNT_SIZE, TOKEN_PROGRAM, S->seeds))) return problem;

  meta(0, &a[3], 1, 0); // InitializeMint2, no freeze authority
  S->data[0] = 20;
  S->data[1] = a[2].data[44] + SHARE_DECIMALS_MORE;
  copy32(S->data + 2, a[1].key);
  S->data[34] = 0;
  if ((problem = call(a[5].key, 1, 35, 7, 0))) return problem;
  meta(0, &a[4], 1, 0); // InitializeAccount3
  meta(1, &a[2], 0, 0);
  S->data[0] = 18;
  copy32(S->data + 1, a[1].key);
  if ((problem = call(a[5].key, 2, 33, 7, 0))) return problem;

  if (sol_get_clock_sysvar(&S->clock)) return CLOCK_UNAVAILABLE;
  Vault *vault = (Vault *)a[1].data;
  vault->magic = MAGIC;
  vault->bump = bump;
  copy32(vault->token_mint, a[2].key);
  copy32(vault->share_mint, a[3].key);
  copy32(vault->liquidity, a[4].key);
  vault->last_accrual = S->clock.unix_timestamp;
  vault->rate_numerator = rate_numerator;
  vault->rate_denominator = rate_denominator;
  vault->virtual_assets = VIRTUAL_ASSETS;
  vault->virtual_shares = VIRTUAL_SHARES;
  vault->min_deposit = min_deposit;
  return OK;
}

/* 0 user (signer), 1 vault, 2 token mint, 3 share mint, 4 liquidity, 5 user's tokens, 6 user's shares, 7 token program */
NOINLINE u64 checked_trade(const u8 *program, Vault **vault) {
  Account *a = S->accounts;
  u64 problem;
  if (!same(a[7].key, TOKEN_PROGRAM)) return WRONG_PROGRAM;
  Vault *found = checked_vault(program, &problem);
  if (problem) return problem;
  if (!same(a[3].key, found->share_mint)) return WRONG_SHARE_MINT;
  if (!same(a[4].key, found->liquidity)) return WRONG_LIQUIDITY;
  if (found->paused) return PAUSED;
  if ((problem = accrue(found))) return problem;
  if (found->total_assets > ALL - found->virtual_assets) return ARITHMETIC_OVERFLOW;
  if (found->total_shares > ALL - found->virtual_shares) return ARITHMETIC_OVERFLOW;
  sign_as_vault(found);
  *vault = found;
  return OK;
}

NOINLINE u64 deposit(Vault *vault, u64 amount, u64 min_shares) {
  Account *a = S->accounts;
  if (amount < vault->min_deposit) return DEPOSIT_TOO_SMALL;
  u64 shares = mul_div(amount, vault->total_shares + vault->virtual_shares, vault->total_assets + vault->virtual_assets);
  if (shares == OVERFLOWN) return ARITHMETIC_OVERFLOW;
  if (shares == 0) return NOTHING_TO_DO;
  if (shares < min_shares) return LESS_THAN_MINIMUM;
  if (amount > ALL - vault->total_assets || shares > ALL - vault->total_shares) return ARITHMETIC_OVERFLOW;
  u64 cap = read48(vault->cap);
  if (cap && vault->total_assets + amount > cap - 1) return CAP_EXCEEDED;
  vault->total_assets += amount;
  vault->total_shares += shares;

  u64 problem = transfer(5, 4, 0, amount, 8);
  if (problem) return problem;
  meta(0, &a[3], 1, 0); // MintTo
  meta(1, &a[6], 1, 0);
  meta(2, &a[1], 0, 1);
  S->data[0] = 7;
  write64(S->data + 1, shares);
  if ((problem = call(a[7].key, 3, 9, 8, 1))) return problem;
  sol_log_("Instruction: Deposit", 20);
  log_event(1, amount, shares, vault);
  return OK;
}

NOINLINE u64 redeem(Vault *vault, u64 shares, u64 min_amount) {
  Account *a = S->accounts;
  if (!same(a[6].owner, TOKEN_PROGRAM) || a[6].data_len != TOKEN_ACCOUNT_SIZE) return WRONG_SHARE_ACCOUNT;
  if (!same(a[6].data, vault->share_mint)) return WRONG_SHARE_ACCOUNT;
  u64 balance = read64(a[6].data + 64);
  if (shares == ALL) shares = balance;
  if (shares > balance || shares > vault->total_shares) return NOT_ENOUGH_SHARES;
  u64 amount = mul_div(shares, vault->total_assets + vault->virtual_assets, vault->total_shares + vault->virtual_shares);
  if (amount == OVERFLOWN || amount > vault->total_assets) return ARITHMETIC_OVERFLOW;
  if (amount == 0) return NOTHING_TO_DO;
  if (amount < min_amount) return LESS_THAN_MINIMUM;
  vault->total_assets -= amount;
  vault->total_shares -= shares;

  meta(0, &a[6], 1, 0); // Burn
  meta(1, &a[3], 1, 0);
  meta(2, &a[0], 0, 1);
  S->data[0] = 8;
  write64(S->data + 1, shares);
  u64 problem = call(a[7].key, 3, 9, 8, 0);
  if (problem) return problem;
  if ((problem = transfer(4, 5, 1, amount, 8))) return problem;
  sol_log_("Instruction: Redeem", 19);
  log_event(2, amount, shares, vault);
  return OK;
}

/* 0 funder (signer), 1 vault, 2 token mint, 3 liquidity, 4 funder's tokens, 5 token program */
NOINLINE u64 fund_yield(const u8 *program, u64 amount) {
  Account *a = S->accounts;
  u64 problem;
  if (!same(a[5].key, TOKEN_PROGRAM)) return WRONG_PROGRAM;
  Vault *vault = checked_vault(program, &problem);
  if (problem) return problem;
  if (!same(a[3].key, vault->liquidity)) return WRONG_LIQUIDITY;
  if (amount == 0) return NOTHING_TO_DO;
  if ((problem = accrue(vault))) return problem;
  if (amount > ALL - vault->yield_left) return ARITHMETIC_OVERFLOW;
  vault->yield_left += amount;
  if ((problem = transfer(4, 3, 0, amount, 6))) return problem;
  sol_log_("Instruction: FundYield", 22);
  log_event(3, amount, 0, vault);
  return OK;
}

/* A loss goes to the budget of the yield, from which it is made good; the sum of the two stays. */
NOINLINE u64 set_loss(Vault *vault, u64 amount) {
  if (amount) {
    if (amount > vault->total_assets || amount > ALL - vault->yield_left) return INVALID_PARAMETER;
    vault->total_assets -= amount;
    vault->yield_left += amount;
    vault->lost += amount;
    return OK;
  }
  u64 good = vault->lost < vault->yield_left ? vault->lost : vault->yield_left;
  vault->total_assets += good;
  vault->yield_left -= good;
  vault->lost = 0;
  return OK;
}

/* 0 governor (signer), 1 vault, 2 token mint, 3 liquidity, 4 governor's tokens, 5 token program */
NOINLINE u64 govern(const u8 *program, u64 tag, u64 value) {
  Account *a = S->accounts;
  u64 problem;
  if (!same(a[5].key, TOKEN_PROGRAM)) return WRONG_PROGRAM;
  if (!same(a[0].key, GOVERNOR)) return WRONG_GOVERNOR;
  Vault *vault = checked_vault(program, &problem);
  if (problem) return problem;
  if (!same(a[3].key, vault->liquidity)) return WRONG_LIQUIDITY;
  if ((problem = accrue(vault))) return problem;
  if (tag == 4) {
    if (value > 1) return INVALID_PARAMETER;
    vault->paused = (u8)value;
  } else if (tag == 5) {
    if (value >> 48) return INVALID_PARAMETER;
    write48(vault->cap, value);
  } else if (tag == 6) {
    if (value >> 32) return INVALID_PARAMETER;
    vault->rate_numerator = value;
  } else if (tag == 7) {
    if ((problem = set_loss(vault, value))) return problem;
  } else {
    sign_as_vault(vault);
    if ((problem = transfer(3, 4, 1, value, 6))) return problem;
  }
  sol_log_("Instruction: Govern", 19);
  return OK;
}

// ---- Entry ----------------------------------------------------------------------------------------------

/* Reads the runtime's input up to the instruction data; the number of accounts, or 0 with *problem set. */
NOINLINE u64 read_accounts(u8 *input, u8 **rest, u64 *problem) {
  u64 count = *(u64 *)input;
  u8 *p = input + 8;
  *problem = WRONG_ACCOUNT_COUNT;
  if (count < 6 || count > MAX_ACCOUNTS) return 0;
  *problem = DUPLICATE_ACCOUNT;
  for (u64 i = 0; i < count; i++) {
    if (*p != 0xff) return 0;
    Account *a = &S->accounts[i];
    a->is_signer = p[1];
    a->is_writable = p[2];
    a->executable = p[3];
    a->key = p + 8;
    a->owner = p + 40;
    a->lamports = (u64 *)(p + 72);
    a->data_len = *(u64 *)(p + 80);
    a->data = p + 88;
    p += 88 + a->data_len + 10240;
    p = (u8 *)(((u64)p + 7) & ~7ULL);
    a->rent_epoch = *(u64 *)p;
    p += 8;
  }
  *problem = OK;
  *rest = p;
  return count;
}

u64 entrypoint(u8 *input) {
  u8 *rest;
  u64 problem;
  u64 count = read_accounts(input, &rest, &problem);
  if (problem) return problem;
  u64 len = *(u64 *)rest;
  u8 *data = rest + 8;
  const u8 *program = data + len;
  if (len == 0) return UNKNOWN_INSTRUCTION;
  u8 tag = data[0];
  if (!((tag == 0 && len == 25) || ((tag == 1 || tag == 2) && len == 17) || (tag >= 3 && tag <= 8 && len == 9)))
    return UNKNOWN_INSTRUCTION;
  if (count != (tag == 0 ? 7 : tag >= 3 ? 6 : 8)) return WRONG_ACCOUNT_COUNT;
  if (!S->accounts[0].is_signer) return MISSING_SIGNATURE;
  if (tag == 0) return initialize(program, data + 1);
  if (tag == 3) return fund_yield(program, read64(data + 1));
  if (tag > 3) return govern(program, tag, read64(data + 1));
  Vault *vault;
  if ((problem = checked_trade(program, &vault))) return problem;
  return tag == 1 ? deposit(vault, read64(data + 1), read64(data + 9)) : redeem(vault, read64(data + 1), read64(data + 9));
}
