/**
 * What 200 prompts beside the project (../shared/corpus/real) ask for, labelled by reading them, not by the program: the
 * beginning of the SHA-256 of the prompt, and the activities whose advice would be right, the best one first. The sample
 * is the 200 prompts with the lowest hashes.
 */
const LETTERS = {
  i: "implement",
  g: "design",
  d: "debug",
  r: "research",
  p: "plan",
  v: "review",
  c: "compound",
  n: "none",
};

export const ID_CHARS = 12;

const LABELS = `
  0001429b14a4:vr 004333da54e2:n 0050aeb37cf3:rn 005a8f59297a:r 00822b5a93cb:i 0089c34a336b:dr
  008bf6cfe158:n 00ae4eabbfb5:n 00b27162e48e:nd 00be3aeac0c6:v 011ef328b348:n 013f23e11bf9:i
  0157f9e95434:rn 0162c7faffe4:ni 016a4e6321d7:rn 0199dcc6b31d:n 01eb77080c15:r 01f49c755d00:rn
  01f6bba747e6:i 01ff9f524a2b:rn 0268aa0a8784:i 027a63189d90:ni 02804046dfc0:ig 02a4dfe3d08e:dnr
  02c694d96444:n 02d4255cef76:npr 02d9c4bd97f6:vrn 0307e806b82d:rn 0308aaee6101:n 034ad8cdbb10:nr
  0350cab2d326:i 03707690911d:i 03986edf90b9:vi 03c26b70264f:i 040d25dbfa2e:n 043488422b31:i
  0437ab51a424:gi 048ccea72663:nr 0526c0cf6597:i 0574fce9b0f9:i 05bb96b28e69:i 05d92a246e4d:nr
  05ded8583fd1:rn 0643a46a5237:i 065f718e04a1:i 06b543f46d7f:rn 07000823cd91:n 0719c6c34dfd:d
  072da1c3562e:d 077c003ae04a:rn 07a1f3165ad1:v 07d4d275bb98:n 07fe2194a177:d 083773fb5352:np
  0847fe578e82:n 0848c9a0d0d6:in 0861fa77fa19:rn 08814a555437:id 0889054d1754:ni 0889b3152e2b:ni
  09523c8b2e14:d 096596274fb6:n 0978ab07320b:di 0989af93e971:rn 099d71bf4cc5:dr 09aa7e2decb2:n
  09ab61076ee9:i 09dbd67c38d9:n 0a2771ea350e:vr 0a2decd0f456:ri 0a2fbb9b8af3:n 0a6786ed0dd3:dr
  0a84e0995242:ni 0a889c36da90:rn 0abc16766b4c:ni 0abd665ce31e:rn 0aeb1820159c:in 0af1396eaca1:i
  0b2c182da905:ri 0b362d8efb7b:n 0bd09c49e0a9:dr 0bd14263f8f2:in 0bef49f63e91:in 0bf085fa2865:n
  0c01b8a9ca54:ip 0c0f662c3d2d:d 0c33d51b3b8a:ni 0c498df96204:i 0caf0497a811:ir 0cc2fb363b9e:n
  0ce1e2c936d5:ni 0d0cd8303ad0:rn 0d38c8cdf5fe:v 0d4c3048e013:id 0d587d5f2f5a:r 0d9e90a3dfb8:i
  0df461d175e0:n 0dff65c688c0:di 0e3d90f5f3dc:d 0e3ed929c8c7:dr 0e70864bdc9b:n 0e86305d5dca:rnd
  0e9909ef6d0f:nr 0eac60647a94:in 0eb2a80425b0:in 0ec014bac0c6:rv 0ec947ac256e:nr 0ed8518397c3:rng
  0ef8f4fdba04:igr 0eff9da83127:rn 0f0e498b21de:nr 0f39653be5cc:nr 0f5bb0596188:n 0f64ce93f52f:dr
  0f91a845953b:n 0fa0c9c3604d:rn 0fbe336eca27:gn 100817ec1644:i 1042c0da8dd9:di 1072ce69466e:gvr
  1094880d5986:ni 10d0b51082d8:in 10fe04d0216a:irn 118170ad511b:rn 11944902ffff:ic 119792136aa2:n
  11a1a97bf055:dn 120b22392e53:n 1236c01ca591:vn 123c7d727c43:rn 12483aa75234:p 1270680bb206:di
  12956fb7fc36:di 1305ce33fb7b:vr 13390364b3f7:nr 133cb54bfa30:dn 13520778ab34:i 1354c197292b:n
  135e52416622:rn 1365c2badede:n 136df00d7112:i 137c414463e3:v 13e25a4f54be:din 1412d76c6239:i
  14145720e073:n 14260e68d3bf:d 143c4e934fa2:n 143debd78515:gnr 144cb8dd2a7b:gn 144ec8720092:n
  14980cd4deeb:i 14b8b686b85c:ig 14cbba986a80:id 14d2438a336d:id 14e3e15493b4:div 14e8380f4759:nr
  14e83cf9e4b3:nr 14e858ee8891:dr 14ee9a578b9b:ig 14f55953d3e2:n 154dcc919609:npg 155cb90ece7e:r
  15783e5e54cc:r 15defe00099f:i 15f2ac780857:rd 16040c79fbfe:n 1616b9d05e1d:n 162214ce2ee5:rn
  16295a04d4b4:gnr 162b0498651d:iv 16482f35cfe4:i 164e43b002af:id 1674d20ab6ab:ig 16b5d0de24fc:nr
  16d0270a9872:ig 16d9a83c5dae:nrp 16fb911f1caf:nrg 1715277c0b4e:ndr 1718fb447600:r 1728621668e2:rn
  172eda67c7d3:v 174c7ac7bb39:i 175e17d25f15:nr 17808d4ac46a:ig 178b404a8334:i 179971ca1695:vr
  17afb552a441:ng 17b2c1937427:in 17dd9a63d340:d 17ee31d2860b:n 1811c3d572ec:pn 18373c162755:ni
  18380448c16f:rd 1864454165e0:nid 186ece45f351:rin 1887a92aa235:i 1890f0bc01f6:rn 18af904281d0:i
  18cb285d4dce:n 18d42217ba98:i
`;

export const activityLabels = new Map(
  LABELS.trim()
    .split(/\s+/)
    .map((row) => row.split(":"))
    .map(([id, letters]) => [id, [...letters].map((letter) => LETTERS[letter])]),
);
