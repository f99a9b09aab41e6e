/**
 * Tokens, keys and addresses that are secrets by their shape. Data; `secrets.ts` searches for them. The tables are made
 * when they are needed, because many events mask nothing and each is a new process.
 */

export interface Shape {
  /** Every match contains one of these, in this case. Searching them is cheap, compiling a pattern is not. */
  readonly marks: readonly string[];
  readonly pattern: () => RegExp;
  /** What remains of a match. */
  readonly kept: string;
  /** A token on its own, which may be sent only to the service that issued it. */
  readonly token?: true | undefined;
  /** An address with a key in it: to call it is not to send a secret elsewhere. */
  readonly address?: true;
}

export const MASK = "*****";

/** Prefixes by which issuers mark their tokens, and how many letters, digits, `_` and `-` follow at least. */
const prefixes = (): readonly (readonly [least: number, prefixes: string])[] => [
  [10, "xoxa- xoxb- xoxc- xoxd- xoxe- xoxp- xoxr- xoxs- xwfp- sk_live_ rk_live_ sk_test_ rk_test_ rzp_live_"],
  [16, "ghp_ gho_ ghu_ ghs_ ghr_"],
  [16, "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct-"],
  [20, "github_pat_ xapp- hf_ api_org_ dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ pypi- AGE-SECRET-KEY-"],
  [20, "lin_api_ dckr_pat_ dckr_oat_ whsec_ GOCSPX- ATATT3 ATCTT3 ATBB NRAK- NRJS- NRII- sntrys_ sntryu_"],
  [20, "pscale_tkn_ pscale_pw_ pscale_oauth_ PMAK- rdme_ xkeysib- xsmtpsib- shippo_live_ shippo_test_ sbp_ sb_secret_"],
  [20, "tskey- nfp_ fo1_ fm2_ fm1r_ HRKU- figd_ CFPAT- duffel_live_ duffel_test_ FLWSECK- FLWSECK_TEST- fio-u- r8_"],
  [20, "pplx- gsk_ xai- lsv2_pt_ lsv2_sk_ pcsk_ tvly- aio_ sqp_ squ_ sqa_ sgp_ tfp_ bkua_ CCIPAT_ CCIPRJ_ waka_"],
  [20, "napi_ phx_ dnkey- ico- sq0atp- sq0csp- glsa_ glc_ CLOJARS_ packagist_ access-production- access-sandbox-"],
  [30, "npm_ AIza rnd_ ntn_ pnu_ pul- rubygems_ sha256~ AKCp ops_eyJ"],
];

type Row = readonly [marks: string, pattern: string];

const special = (): readonly Row[] => [
  // Style sheets have classes such as `sk-toggleable-content`; a key has digits.
  ["sk-", "sk-(?=[\\w-]{0,60}\\d)[\\w-]{16,}"],
  ["secret_", "secret_(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{32,}"],
  ["SG.", "SG\\.[\\w.-]{20,}"],
  ["hvs.", "hvs\\.[\\w-]{20,}"],
  ["hvb.", "hvb\\.[\\w-]{20,}"],
  ["ya29.", "ya29\\.[\\w-]{20,}"],
  ["dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,}"],
  ["dt0", "dt0[a-z]\\d\\d\\.[A-Z0-9]{20,}\\.[A-Z0-9]{40,}"],
  [".atlasv1.", "\\w{14}\\.atlasv1\\.[\\w-]{40,}"],
  ["pat-", "pat-(?:na|eu)\\d-[0-9a-f-]{36}"],
  ["dapi", "dapi[0-9a-f]{32}"],
  ["8Q~", "\\w{3}8Q~[\\w~.-]{31,}"],
  ["LTAI", "LTAI[A-Za-z0-9]{12,26}\\b"],
  ["AKID", "AKID[A-Za-z0-9]{28,36}\\b"],
  ["amzn.mws.", "amzn\\.mws\\.[0-9a-f-]{36}"],
  ["v1.0-", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}"],
  ["AKIA ASIA ABIA ACCA", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}\\b"],
];

/** Likely enough to be masked, but not to refuse a command for it. */
const doubtful = (): readonly Row[] => [
  ["re_", "re_(?=\\w{0,40}\\d)[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}"],
  ["1//", "1//0[\\w-]{30,}"],
  ["key-", "key-[0-9a-f]{32}\\b"],
  ["-us", "[0-9a-f]{32}-us\\d{1,2}\\b"],
  ["SK", "SK[0-9a-f]{32}\\b"],
  ["pat", "pat\\w{14}\\.[0-9a-f]{64}"],
  ["EAA", "EAA[A-Za-z0-9]{60,}"],
  ["EZ", "EZ[AT]K[A-Za-z0-9]{50,}"],
  ["oy2", "oy2[a-z0-9]{43}\\b"],
  ["cio", "cio[A-Za-z0-9]{32}\\b"],
  ["sl.", "sl\\.[\\w-]{100,}"],
  ["AAAAAAAAAA", "A{18,24}[\\w%]{50,}"],
  [":AA", "\\d{8,10}:AA[\\w-]{32,}"],
  // The first part is a number in base64.
  ["MT MD Mj Mz ND NT Nj Nz OD OT", "[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,}"],
  ["eyJ", "\\beyJ[\\w-]{8,2048}\\.[\\w-]{8,2048}\\.[\\w-]{0,2048}"],
];

const before = "(?<![A-Za-z0-9])";

/** Tokens in any text. */
export const tokens = (): readonly Shape[] => [
  ...prefixes().map(([least, words]) => tokenOf(words, `(?:${words.replaceAll(" ", "|")})[\\w-]{${least},}`, true)),
  ...special().map(([words, source]) => tokenOf(words, source, true)),
  ...doubtful().map(([words, source]) => tokenOf(words, source)),
];

function tokenOf(words: string, source: string, token?: true): Shape {
  return new Token(words.split(" "), `${before}${source}`, token);
}

/** A class, because a fresh process makes fifty of them faster than objects with functions of their own. */
class Token implements Shape {
  readonly marks: readonly string[];
  readonly token: true | undefined;
  readonly kept = MASK;
  private readonly source: string;

  constructor(marks: readonly string[], source: string, token: true | undefined) {
    this.marks = marks;
    this.source = source;
    this.token = token;
  }

  pattern(): RegExp {
    return new RegExp(this.source, "g");
  }
}

/** No token is shorter, so a text without such a run of characters holds none. Paths are shorter between their slashes. */
export const TOKEN_CHARS_MIN = 15;
export const MAY_HOLD_TOKEN = /[\w.~-]{15}/;

/** Private keys, password hashes, and addresses whose last part is a key. */
export const blocks = (): readonly Shape[] => [
  {
    marks: ["PRIVATE KEY"],
    pattern: () =>
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    kept: `[private key ${MASK}]`,
    token: true,
  },
  {
    marks: ["Private-Lines:"],
    pattern: () => /(Private-Lines: \d{1,4})(?:\r?\n[A-Za-z0-9+/=]+){1,400}/g,
    kept: `$1\n${MASK}`,
  },
  { marks: ["$2"], pattern: () => /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/g, kept: MASK },
  {
    marks: ["$1$", "$5$", "$6$", "$y$", "$apr1$"],
    pattern: () => /\$(?:[156y]|apr1)\$[./=A-Za-z0-9$]{12,200}/g,
    kept: MASK,
  },
  ...[
    ["hooks.slack.com/", "hooks\\.slack\\.com/(?:services|workflows|triggers)/"],
    ["/webhooks/", "discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d+/"],
    [".office.com/", "(?:webhook\\.office|outlook\\.office(?:365)?)\\.com/webhook\\w*/"],
    ["hooks.zapier.com/", "hooks\\.zapier\\.com/hooks/\\w+/"],
    ["/with/key/", "maker\\.ifttt\\.com/trigger/[\\w-]+/(?:json/)?with/key/"],
    ["api.telegram.org/", "api\\.telegram\\.org/(?:file/)?bot"],
    ["/bot/v2/hook/", "/open-apis/bot/v2/hook/"],
    ["/hooks/", "/hooks/(?=[a-zA-Z0-9/]{20})(?=[a-zA-Z/]{0,60}\\d)"],
    ["build_hooks/", "api\\.netlify\\.com/build_hooks/"],
    ["/integrations/deploy/", "api\\.vercel\\.com/v1/integrations/deploy/"],
    [".make.com/", "hook\\.\\w+\\.make\\.com/"],
    ["hc-ping.com/", "hc-ping\\.com/"],
    [".infura.io/", "\\.infura\\.io/(?:ws/)?v3/"],
    [".alchemy.com/", "\\.alchemy\\.com/v2/"],
  ].map(
    ([mark = "", source = ""]): Shape => ({
      marks: [mark],
      pattern: () => new RegExp(`(${source})[\\w:%./-]{6,400}`, "g"),
      kept: `$1${MASK}`,
      address: true,
    }),
  ),
];
